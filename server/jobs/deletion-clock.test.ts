import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { scheduledJobs } from '../entry/worker.ts'
import { insertMail } from '../mail/store.ts'
import { buildTestService } from '../test/build-app.ts'
import { byAge, follow, HOLD_MS, readDeletionTime, selectRefusal } from './deletion-clock.ts'

const HOUR_MS = 3_600_000
const service = await buildTestService()
const { ctx } = service
const { signal } = new AbortController()

beforeEach(() =>
  ctx.db.run(
    sql`update deletion_clock set seen_at = now(), trusted_at = now(), held_since = null, refusal = null`,
  ),
)

const withClock = (aheadMs: number) => ({ ...ctx, clock: { now: () => new Date(Date.now() + aheadMs) } })

const run = async (aheadMs = 0) => {
  const calls: Date[] = []
  const job = byAge('test.forget', '* * * * *', async (_ctx, _signal, now) => void calls.push(now))
  await job.run(withClock(aheadMs), signal)
  return calls
}

/** Metrics of a cell have its number as a label. */
const CELL = ctx.cell === 0 ? '' : `\\{cell="${ctx.cell}"\\}`

const metric = async (name: string) => {
  const { body } = await service.inject({ url: '/metrics' })
  return Number(new RegExp(`^${name}${CELL} (\\S+)$`, 'm').exec(body)?.[1])
}

test('a job that deletes by age uses the time of the database', async () => {
  const [now] = await run(30_000)
  expect(Math.abs((now?.getTime() ?? 0) - Date.now())).toBeLessThan(20_000)
  expect(await selectRefusal(ctx.db)).toBeUndefined()
  expect(await metric('rapport_deletion_refused')).toBe(0)
})

test.each([
  ['ahead', 40 * 24 * HOUR_MS],
  ['behind', -2 * 60_000],
])('deletes nothing if the clock of the service is %s by more than a minute', async (_, aheadMs) => {
  expect(await run(aheadMs)).toEqual([])
  expect(await selectRefusal(ctx.db)).toMatch(
    /^the clocks of the service and of the database differ by \d+ s$/,
  )
  expect(await metric('rapport_deletion_refused')).toBe(1)
  expect(await run()).toHaveLength(1)
  expect(await metric('rapport_deletion_refused')).toBe(0)
})

test('a metric shows the difference of the clocks', async () => {
  expect(Math.abs(await metric('rapport_clock_difference_seconds'))).toBeLessThan(1)
  service.advance(120_000)
  expect(await metric('rapport_clock_difference_seconds')).toBeCloseTo(-120, -1)
  service.advance(-120_000)
})

test('a metric shows how long no worker has followed the clock', async () => {
  await ctx.db.run(sql`update deletion_clock set followed_at = now() - interval '20 minutes'`)
  expect(await metric('rapport_worker_idle_seconds')).toBeGreaterThanOrEqual(1200)
  await scheduledJobs.find(({ name }) => name === 'clock.follow')?.run(ctx, signal)
  expect(await metric('rapport_worker_idle_seconds')).toBeLessThan(1200)
})

test('deletes nothing for a day after both clocks jumped ahead by 40 days', async () => {
  await insertMail(ctx.directory, {
    recipient: 'ada@example.com',
    subject: 'Hello',
    body: '',
    organizationId: null,
  })
  await ctx.directory.run(sql`update outgoing_mail set created_at = now() - interval '40 days'`)
  await ctx.db.run(
    sql`update deletion_clock set trusted_at = now() - interval '40 days', seen_at = trusted_at`,
  )
  const forget = scheduledJobs.find(({ name }) => name === 'mail.forget')
  await forget?.run(ctx, signal)
  expect(await selectRefusal(ctx.db)).toMatch(
    /^the clock jumped from \S+ to \S+, because.* it is trusted from/,
  )
  expect(await ctx.directory.many(sql`select from outgoing_mail`)).toHaveLength(1)
  await ctx.db.run(sql`update deletion_clock set held_since = held_since - interval '1 day'`)
  await forget?.run(ctx, signal)
  expect(await ctx.directory.many(sql`select from outgoing_mail`)).toHaveLength(0)
})

test('every scheduled job that deletes by age uses the checked time', async () => {
  const refused: string[] = []
  const log = { ...ctx.log, error: ({ job }: { job: string }) => void refused.push(job) } as typeof ctx.log
  const names = scheduledJobs
    .map(({ name }) => name)
    .filter((name) => /forget|drop|old|missed|(files|attachments)\.sweep/.test(name))
  for (const job of scheduledJobs)
    if (names.includes(job.name)) await job.run({ ...withClock(40 * 24 * HOUR_MS), log }, signal)
  expect(refused.toSorted()).toEqual(names.filter((name) => name !== 'rate-windows.forget').toSorted())
  expect(refused).toContain('events.drop-old')
})

test('does not store the time of a clock that differs', async () => {
  await ctx.db.run(sql`update deletion_clock set trusted_at = '2020-01-01', seen_at = '2020-01-01'`)
  expect(await readDeletionTime(withClock(HOUR_MS))).toMatchObject({
    refusal: expect.stringContaining('differ'),
  })
  expect(await ctx.db.one(sql`select seen_at as seen, held_since as held from deletion_clock`)).toEqual({
    seen: '2020-01-01T00:00:00.000Z',
    held: null,
  })
})

describe('a time is trusted', () => {
  const start = { seenAt: 0, trustedAt: 0, heldSince: null }
  const AHEAD = 40 * HOLD_MS
  const after = (...times: number[]) => times.reduce(follow, start)

  test.each([
    ['an hour later', [HOUR_MS], true],
    ['when it was set back', [-AHEAD], true],
    ['a month later, hour by hour', Array.from({ length: 720 }, (_, hour) => hour * HOUR_MS), true],
    ['not immediately after it went ahead', [AHEAD], false],
    ['not 23 hours after it went ahead', [AHEAD, AHEAD + 23 * HOUR_MS], false],
    ['a day after it went ahead', [AHEAD, AHEAD + 12 * HOUR_MS, AHEAD + HOLD_MS], true],
    ['immediately after it went ahead and was corrected', [AHEAD, HOUR_MS], true],
    ['a day after it was set again, not before', [AHEAD, AHEAD - 2 * HOUR_MS, AHEAD + 23 * HOUR_MS], false],
    ['a day after it went ahead twice, not before', [AHEAD, 2 * AHEAD, 2 * AHEAD + 23 * HOUR_MS], false],
  ])('%s', (_, times, isBelieved) => {
    expect(after(...times).heldSince === null).toBe(isBelieved)
  })
})
