import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { insertWorkflow, runsOf, step } from '../workflow.fixture.ts'
import { firstNextAt, nextTimes } from './schedule.ts'

const service = await buildTestService()
const { ctx } = service

const shown = (times: Date[] | undefined) => times?.map((time) => time.toISOString())

describe('the next times of a schedule', () => {
  // Expected times in UTC around a clock change. Clocks go back and forward at 01:00 UTC in Berlin, at 06:00 and 07:00
  // UTC in New York, and at 15:00 and 15:30 UTC on Lord Howe Island, by half an hour.
  test.each([
    ['Europe/Berlin', 'back', '*/30 * * * *', '2027-10-30T23:45Z', '00:00 00:30 01:00 01:30 02:00'],
    ['Europe/Berlin', 'back', '0 * * * *', '2027-10-30T23:45Z', '00:00 01:00 02:00 03:00 04:00'],
    ['Europe/Berlin', 'back', '@hourly', '2027-10-30T23:45Z', '00:00 01:00 02:00 03:00 04:00'],
    ['Europe/Berlin', 'back', '0 */2 * * *', '2027-10-30T21:45Z', '22:00 00:00 01:00 03:00 05:00'],
    ['Europe/Berlin', 'back', '*/30 2 * * *', '2027-10-30T23:45Z', '00:00 00:30 01:00 01:30 01:00'],
    ['Europe/Berlin', 'back', '0,30 2 * * *', '2027-10-30T23:45Z', '00:00 00:30 01:00 01:30 01:00'],
    ['Europe/Berlin', 'back', '0 1-4 * * *', '2027-10-30T22:45Z', '23:00 00:00 02:00 03:00 00:00'],
    [
      'Europe/Berlin',
      'back, from within',
      '*/30 * * * *',
      '2027-10-31T01:10Z',
      '01:30 02:00 02:30 03:00 03:30',
    ],
    [
      'Europe/Berlin',
      'back, from within',
      '30 2 * * *',
      '2027-10-31T01:10Z',
      '01:30 01:30 01:30 01:30 01:30',
    ],
    ['Europe/Berlin', 'forward', '*/30 * * * *', '2027-03-28T00:15Z', '00:30 01:00 01:30 02:00 02:30'],
    ['Europe/Berlin', 'forward', '0 */2 * * *', '2027-03-27T22:45Z', '23:00 01:00 02:00 04:00 06:00'],
    ['Europe/Berlin', 'forward', '15 2,3 * * *', '2027-03-28T00:45Z', '01:15 00:15 01:15 00:15 01:15'],
    ['America/New_York', 'back', '*/30 * * * *', '2027-11-07T05:15Z', '05:30 06:00 06:30 07:00 07:30'],
    ['America/New_York', 'back', '30 1 * * *', '2027-11-07T05:15Z', '05:30 06:30 06:30 06:30 06:30'],
    ['America/New_York', 'forward', '*/30 * * * *', '2027-03-14T06:15Z', '06:30 07:00 07:30 08:00 08:30'],
    ['America/New_York', 'forward', '30 2 * * *', '2027-03-14T06:15Z', '07:30 06:30 06:30 06:30 06:30'],
    ['Australia/Lord_Howe', 'back', '*/15 * * * *', '2027-04-03T14:35Z', '14:45 15:00 15:15 15:30 15:45'],
    ['Australia/Lord_Howe', 'back', '45 1 * * *', '2027-04-03T14:35Z', '14:45 15:15 15:15 15:15 15:15'],
    ['Australia/Lord_Howe', 'forward', '15 2 * * *', '2027-10-02T15:20Z', '15:45 15:15 15:15 15:15 15:15'],
  ])('in %s when clocks go %s: %s', (zone, _, cron, from, times) => {
    const found = nextTimes(cron, zone, new Date(from), 5) ?? []
    expect(found.map((time) => time.toISOString().slice(11, 16)).join(' ')).toBe(times)
    expect(found).toEqual(found.toSorted((a, b) => Number(a) - Number(b)))
  })

  test.each([
    [
      '0 9 * * 1',
      'Europe/Berlin',
      '2026-11-21T19:00Z',
      ['2026-11-23T08:00:00.000Z', '2026-11-30T08:00:00.000Z'],
    ],
    // In Berlin, 03:00 follows 01:59 on that day. The skipped time is an hour later.
    [
      '30 2 * * *',
      'Europe/Berlin',
      '2027-03-27T12:00Z',
      ['2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z'],
    ],
    // 02:30 comes twice: only the first is used.
    [
      '30 2 * * *',
      'Europe/Berlin',
      '2027-10-30T12:00Z',
      ['2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z'],
    ],
    ['0 12 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T12:00:00.000Z', '2032-02-29T12:00:00.000Z']],
    ['0 0 30 2 *', 'UTC', '2026-01-01T00:00Z', []],
  ])('are correct for %s in %s', (cron, zone, from, times) => {
    expect(shown(nextTimes(cron, zone, new Date(from), 2))).toEqual(times)
  })

  test.each([
    ['every day', 'UTC'],
    ['* * * * * *', 'UTC'],
    ['61 * * * *', 'UTC'],
    ['', 'UTC'],
    ['0 9 * * 1', 'Berlin'],
  ])('are undefined for the invalid schedule %j in %s', (cron, zone) => {
    expect(nextTimes(cron, zone, new Date(), 1)).toBeUndefined()
    const definition = { trigger: 'schedule', triggerConfig: { cron, timezone: zone } } as const
    expect(firstNextAt(definition, 'UTC', new Date())).toBeNull()
  })

  test('use the time zone of the organization when the schedule has none', () => {
    const definition = { trigger: 'schedule', triggerConfig: { cron: '0 9 * * *' } } as const
    const from = new Date('2026-11-21T19:00Z')
    expect(firstNextAt(definition, 'Asia/Tokyo', from)?.toISOString()).toBe('2026-11-22T00:00:00.000Z')
    expect(firstNextAt({ trigger: 'manual' }, 'UTC', from)).toBeNull()
  })
})

const HOUR_MS = 3_600_000

const hourly = (org: Org, more = {}) =>
  insertWorkflow(
    ctx,
    org,
    {
      trigger: 'schedule',
      triggerConfig: { cron: '0 * * * *', timezone: 'Europe/Berlin' },
      steps: [step('create_record', { object: 'companies', data: { name: '{{trigger.scheduledFor}}' } })],
      ...more,
    },
    { now: ctx.clock.now() },
  )

const nextOf = (id: string) =>
  ctx.db.value<string>(sql`select next_at::text as next from workflows where id = ${id}`)

describe('a scheduled workflow', () => {
  test('runs once at each time, and once for all missed times', async () => {
    const org = await service.org()
    // A time zone without clock changes: each hour comes once.
    const made = await hourly(org, { triggerConfig: { cron: '0 * * * *', timezone: 'UTC' } })
    await service.runWorkflows()
    expect(await runsOf(ctx, made)).toEqual([])
    service.advance(HOUR_MS)
    await Promise.all([service.runWorkflows(), service.runWorkflows()])
    const [first] = await runsOf(ctx, made)
    expect(first).toMatchObject({
      ...{ status: 'completed', triggerEvent: 'schedule', subject: null },
      input: { event: 'schedule', missed: 0, data: {}, parameters: {} },
    })
    service.advance(5 * HOUR_MS)
    await service.runWorkflows()
    const runs = await runsOf(ctx, made)
    expect(runs).toHaveLength(2)
    expect(runs[1]).toMatchObject({
      input: { missed: 4 },
      title: expect.stringMatching(
        /^Flow .* – \w+ \d+, \d{4}, \d+:00\s[AP]M \(4 times before it were missed\)$/,
      ),
    })
    const at = Date.parse(String(runs[1]?.input['scheduledFor']))
    expect(ctx.clock.now().getTime() - at).toBeLessThan(HOUR_MS)
    expect(Date.parse(await nextOf(made.id))).toBe(at + HOUR_MS)
  })

  test('stays due after a change of another field while the service was down', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const made = await hourly(org)
    service.advance(2 * HOUR_MS)
    const due = await nextOf(made.id)
    await owner.patch(`/workflows/${made.id}`, { description: 'Renamed while it was due' })
    const definition = {
      trigger: 'schedule',
      triggerConfig: { cron: '0 * * * *', timezone: 'Europe/Berlin' },
      steps: [step('stop', { message: 'edited' })],
    }
    expect((await owner.put(`/workflows/${made.id}/definition`, { definition, basedOn: 1 })).status).toBe(200)
    expect(await nextOf(made.id)).toBe(due)
    await service.runWorkflows()
    expect(await runsOf(ctx, made)).toMatchObject([{ status: 'completed', input: { missed: 1 } }])
    const daily = { ...definition, triggerConfig: { cron: '30 12 * * *', timezone: 'Europe/Berlin' } }
    const before = await nextOf(made.id)
    await owner.put(`/workflows/${made.id}/definition`, { definition: daily, basedOn: 2 })
    expect(await nextOf(made.id)).not.toBe(before)
    await owner.patch(`/workflows/${made.id}`, { enabled: false })
    expect(await nextOf(made.id)).toBe('infinity')
  })

  test('without a time zone uses the time zone of its organization', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const at = (more: object) => hourly(org, { triggerConfig: { cron: '0 9 1 1 *', ...more } })
    const [follows, stays, due] = [await at({}), await at({ timezone: 'Europe/Berlin' }), await at({})]
    await ctx.db.run(sql`update workflows set next_at = now() - interval '1 hour' where id = ${due.id}`)
    const before = await nextOf(due.id)
    const hourOf = async (id: string) => new Date(await nextOf(id)).toISOString().slice(5, 16)
    expect([await hourOf(follows.id), await hourOf(stays.id)]).toEqual(['01-01T09:00', '01-01T08:00'])
    expect((await owner.patch('/organization', { timeZone: 'America/New_York' })).status).toBe(200)
    expect([await hourOf(follows.id), await hourOf(stays.id)]).toEqual(['01-01T14:00', '01-01T08:00'])
    expect(await nextOf(due.id)).toBe(before)
  })

  describe('while its organization changes its time zone', () => {
    const YEARLY = { triggerConfig: { cron: '0 9 1 1 *' } }
    const hourOf = async (id: string) => new Date(await nextOf(id)).toISOString().slice(5, 16)
    const isWaiting = () =>
      ctx.db.one(sql`
        select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)

    /** Runs `wait` after another transaction has run `first`. That transaction runs `then` when `wait` waits for it. */
    async function between<Result>(first: Sql, wait: () => Promise<Result>, then?: Sql): Promise<Result> {
      const [begun, waits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const other = ctx.db.transaction(async (tx) => {
        await tx.run(first)
        begun.resolve()
        await waits.promise
        if (then) await tx.run(then)
      })
      await begun.promise
      const waiting = wait()
      await expect.poll(isWaiting).toEqual({ n: 1 })
      waits.resolve()
      await other
      return waiting
    }

    test('uses the new time zone, also when it is just being started', async () => {
      const org = await service.org()
      const [owner, made] = [await org.member('owner'), await hourly(org, YEARLY)]
      const next = await nextOf(made.id)
      await ctx.db.run(sql`update workflows set next_at = now() where id = ${made.id}`)
      const { status } = await between(
        sql`select from workflows where id = ${made.id} for no key update`,
        () => owner.patch('/organization', { timeZone: 'America/New_York' }),
        sql`update workflows set next_at = ${next}::timestamptz where id = ${made.id}`,
      )
      expect(status).toBe(200)
      expect(await hourOf(made.id)).toBe('01-01T14:00')
    })

    test('uses the new time zone when it is enabled at the same time', async () => {
      const org = await service.org()
      const [owner, made] = [await org.member('owner'), await hourly(org, YEARLY)]
      await owner.patch(`/workflows/${made.id}`, { enabled: false })
      const { status } = await between(
        sql`update organizations set time_zone = 'America/New_York' where id = ${org.id}`,
        () => owner.patch(`/workflows/${made.id}`, { enabled: true }),
      )
      expect(status).toBe(200)
      expect(await hourOf(made.id)).toBe('01-01T14:00')
    })
  })

  test('starts no run while it is disabled', async () => {
    const org = await service.org()
    const made = await hourly(org)
    await ctx.db.run(sql`update workflows set is_enabled = false where id = ${made.id}`)
    service.advance(2 * HOUR_MS)
    await service.runWorkflows()
    expect(await runsOf(ctx, made)).toEqual([])
  })

  test.each([
    ['a schedule', { cron: 'never' }],
    ['a time zone', { cron: '0 * * * *', timezone: 'Nowhere/Land' }],
  ])('with %s that is invalid fails once with that reason, and others run', async (_, triggerConfig) => {
    const org = await service.org()
    const odd = await hourly(org, { triggerConfig })
    await ctx.db.run(sql`update workflows set next_at = now() where id = ${odd.id}`)
    const good = await hourly(org)
    service.advance(HOUR_MS)
    await service.runWorkflows()
    service.advance(HOUR_MS)
    await service.runWorkflows()
    expect(await runsOf(ctx, odd)).toMatchObject([
      { status: 'failed', error: expect.stringMatching(/schedule of this workflow cannot be read/) },
    ])
    expect(await nextOf(odd.id)).toBe('infinity')
    expect((await runsOf(ctx, good)).map(({ status }) => status)).toEqual(['completed', 'completed'])
  })
})
