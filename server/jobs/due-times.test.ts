// Simulates that the database's clock is set back by two hours: all stored times are two hours ahead instead.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { scheduledJobs } from '../entry/worker.ts'
import { buildTestService } from '../test/build-app.ts'
import { ENDPOINT_QUEUES } from '../webhooks/delivery/endpoint-queue-store.ts'
import * as webhooks from '../webhooks/delivery/sweeper-store.ts'
import { insertEndpoint } from '../webhooks/endpoint.fixture.ts'
import { startRun } from '../workflows/engine/start.ts'
import * as workflows from '../workflows/engine/sweeper-store.ts'
import { insertWorkflow, runsOf, step } from '../workflows/workflow.fixture.ts'
import { wakeForgotten } from './leased-table.ts'

const service = await buildTestService()
const { ctx } = service
const { db } = ctx
const AHEAD = sql`interval '2 hours'`
const TWO_HOURS_MS = 7_200_000
const TEN_MINUTES_MS = 600_000
/** Stored times have microseconds, and timestamps of JavaScript milliseconds. */
const ROUNDING_MS = 1
const follow = () =>
  scheduledJobs.find(({ name }) => name === 'clock.follow')?.run(ctx, new AbortController().signal)

/** Stores the time that the last check would have read before the clock was set back. */
const setBack = () => db.run(sql`update deletion_clock set followed_at = now() + ${AHEAD}`)

const databaseMs = async () =>
  (await db.one<{ ms: number }>(sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`)).ms

/**
 * Sets the clock back and corrects the due times.
 * @returns a check that a time has been moved by two hours, less at most the time that the two statements took, and the
 *   interval of a schedule
 */
async function setBackAndFollow() {
  const started = await databaseMs()
  await setBack()
  await follow()
  const elapsedMs = (await databaseMs()) - started
  return (before: string, after: string, intervalMs = 0) => {
    const movedMs = Date.parse(before) - Date.parse(after)
    expect(movedMs).toBeLessThanOrEqual(TWO_HOURS_MS + ROUNDING_MS)
    expect(movedMs).toBeGreaterThanOrEqual(TWO_HOURS_MS - elapsedMs - intervalMs - ROUNDING_MS)
  }
}

async function waitingEndpoint() {
  const org = await service.org()
  const { endpoint } = await insertEndpoint(ctx, org.org)
  const event = '0190a0a0-0000-7000-8000-000000000001'
  await db.transaction(async (tx) => {
    await tx.run(sql`
    insert into webhook_deliveries (org, endpoint, event, type, trigger, tries, next_attempt_at, give_up_at)
    values (${org.org}, ${endpoint}, ${event}, 'record.created', 'event', 1, now() + ${AHEAD} + interval '5 minutes',
      now() + ${AHEAD} + interval '72 hours')`)
    await tx.run(sql`
    update webhook_lanes set due_at = now() + ${AHEAD} + interval '5 minutes', not_before = now() + ${AHEAD},
      leased_until = now() + ${AHEAD} + interval '30 seconds' where endpoint = ${endpoint}`)
  })
  const endpointQueue = () =>
    db.one<{ due: string; before: string; lease: string; next: string }>(sql`
      select l.due_at as due, not_before as before, leased_until as lease, d.next_attempt_at as next
      from webhook_lanes l join webhook_deliveries d using (org, endpoint) where endpoint = ${endpoint}`)
  return { endpointQueue, endpoint }
}

const delayed = async (input: Record<string, unknown>) => {
  const org = await service.org()
  const made = await insertWorkflow(ctx, org, { trigger: 'manual', steps: [step('delay', input)] })
  await db.transaction((tx) =>
    startRun({ ...ctx, db: tx }, org.org, {
      ...{ workflow: made.id, triggerEvent: 'manual', parameters: {}, startedBy: null },
    }),
  )
  await service.runWorkflows()
  return made
}

test('an endpoint continues at the time of its policy, not two hours later', async () => {
  const { endpointQueue } = await waitingEndpoint()
  const original = await endpointQueue()
  const expectMoved = await setBackAndFollow()
  const moved = await endpointQueue()
  for (const name of ['due', 'before', 'lease', 'next'] as const) expectMoved(original[name], moved[name])
  await follow()
  expect(await endpointQueue()).toEqual(moved)
})

test('a small step by NTP moves no due times', async () => {
  const { endpointQueue } = await waitingEndpoint()
  const before = await endpointQueue()
  await db.run(sql`update deletion_clock set followed_at = now() + interval '20 seconds'`)
  await follow()
  expect(await endpointQueue()).toEqual(before)
})

test('moves the end of a delay by duration, not of a delay until a date', async () => {
  const until = new Date(Date.now() + 10 * 3_600_000).toISOString()
  const [short, dated] = [await delayed({ seconds: 7500 }), await delayed({ until })]
  const due = async (made: typeof short) => {
    const [run] = await db.many<{ due: string }>(
      sql`select due_at as due from workflow_runs where workflow = ${made.id}`,
    )
    return run?.due ?? ''
  }
  const original = await due(short)
  const expectMoved = await setBackAndFollow()
  expectMoved(original, await due(short))
  expect(Date.parse(await due(dated))).toBe(Date.parse(until))
  await db.run(sql`update workflow_runs set due_at = now(), wake_at = now() where workflow = ${short.id}`)
  await service.runWorkflows()
  expect((await runsOf(ctx, short)).map(({ status }) => status)).toEqual(['completed'])
})

test('a schedule follows the corrected clock', async () => {
  const org = await service.org()
  const made = await insertWorkflow(ctx, org, {
    trigger: 'schedule',
    triggerConfig: { cron: '*/10 * * * *', timezone: 'UTC' },
    steps: [step('stop', {})],
  })
  await db.run(sql`update workflows set next_at = now() + ${AHEAD} where id = ${made.id}`)
  const next = async () =>
    (await db.one<{ next: string }>(sql`select next_at as next from workflows where id = ${made.id}`)).next
  const original = await next()
  const expectMoved = await setBackAndFollow()
  expectMoved(original, await next(), TEN_MINUTES_MS)
})

test('deletes a window of the rate limit that would end in two hours', async () => {
  await db.run(sql`insert into rate_windows (bucket, requests, ends_at) values ('x', 100, now() + ${AHEAD})`)
  await setBack()
  await follow()
  expect(await db.many(sql`select from rate_windows`)).toEqual([])
})

test('counts leases from before the clock was set back as stuck, and wakes their rows', async () => {
  const { endpoint, endpointQueue } = await waitingEndpoint()
  const made = await delayed({ seconds: 600 })
  await db.run(
    sql`update workflow_runs set status = 'running', due_at = now() + ${AHEAD} where workflow = ${made.id}`,
  )
  expect((await webhooks.countStuckDeliveries(db)).forgottenQueues).toBeGreaterThan(0)
  expect((await workflows.countStuckRuns(db)).runs).toBeGreaterThan(0)
  await wakeForgotten(db, ENDPOINT_QUEUES)
  await workflows.wakeForgottenRuns(db)
  expect(Date.parse((await endpointQueue()).lease) - Date.now()).toBeLessThanOrEqual(31_000)
  expect((await webhooks.countStuckDeliveries(db)).forgottenQueues).toBe(0)
  expect((await workflows.countStuckRuns(db)).runs).toBe(0)
  expect(endpoint).toBeDefined()
})

test('counts an undispatched event from before the clock was set back as stuck', async () => {
  const org = await service.org()
  await insertEndpoint(ctx, org.org)
  await org.post('/objects/companies/records', { data: { name: 'Acme' } })
  expect(await webhooks.countStuckDeliveries(db)).toMatchObject({ undispatched: 0 })
  await db.run(sql`update event_pending set created_at = created_at + ${AHEAD} where org = ${org.org}`)
  expect((await webhooks.countStuckDeliveries(db)).undispatched).toBeGreaterThan(0)
})
