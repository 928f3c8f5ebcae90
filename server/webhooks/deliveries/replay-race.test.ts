// Replays of what is missing beside the dispatcher, which hands on what is being written.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Db } from '../../db/pool.ts'
import { eventBody, eventBodyJoins } from '../../events/body.ts'
import { newId } from '../../id.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { insertEndpoint } from '../endpoint.fixture.ts'
import { wants } from '../subscription.ts'
import { workOnReplay } from './jobs.ts'
import { startReplay } from './replays.ts'

const service = await buildTestService()
const { ctx } = service

/** As the engine does it, but for conflicts: a delivery that is there already is an error here. */
const dispatch = (tx: Db, org: number) =>
  tx.run(sql`
    with claimed as (
      select id, events from event_pending where org = ${org} order by id limit 1 for update skip locked),
    removed as (delete from event_pending where org = ${org} and id in (select id from claimed)),
    wanted as (
      select e.id, e.type, w.id as endpoint, ${eventBody} as body
      from claimed c cross join unnest(c.events) as one (id)
      join events e on e.org = ${org} and e.id = one.id ${eventBodyJoins}
      join webhook_endpoints w on w.org = ${org} and w.is_enabled and ${wants('w', 'e')}),
    messages as (
      insert into webhook_messages (org, event, type, body) select ${org}, id, type, body from wanted
      on conflict do nothing)
    insert into webhook_deliveries (org, endpoint, event, type, trigger, next_attempt_at, give_up_at)
    select ${org}, endpoint, id, type, 'event', now(), now() + interval '72 hours' from wanted`)

const write = async ({ post }: Org) => {
  const records = Array.from({ length: 25 }, () => ({ data: { name: `C ${newId()}` } }))
  expect((await post('/objects/companies/records/bulk', { records })).status).toBe(200)
}

const dispatchNow = (org: Org) => ctx.db.transaction((tx) => dispatch(tx, org.org))

async function replayMissing(
  org: Org,
  endpoint: string,
  signal = new AbortController().signal,
): Promise<void> {
  const asked = { kind: 'missing', since: '2020-01-01T00:00:00Z' } as const
  const { id } = await startReplay(ctx, org, endpoint, asked)
  const work = () => workOnReplay(ctx, { org: org.org, id }, signal)
  await Promise.all([work(), work()])
}

/** A signal that tells when it was asked more often than two workers do before they have looked at events. */
function watched() {
  const { signal } = new AbortController()
  const { promise: hasLooked, resolve } = Promise.withResolvers<void>()
  let asked = 0
  signal.throwIfAborted = () => {
    if (++asked > 2) resolve()
  }
  return { signal, hasLooked }
}

/** Events by what made their delivery; null: nothing did. */
const deliveriesOf = ({ org }: Org, endpoint: string) =>
  ctx.db.many<{ trigger: string | null; deliveries: number }>(sql`
    select d.trigger, count(*)::int as deliveries from events e
    left join webhook_deliveries d on d.org = e.org and d.event = e.id and d.endpoint = ${endpoint}
    where e.org = ${org} group by d.trigger order by d.trigger`)

async function setUp() {
  const org = await service.org()
  const { endpoint } = await insertEndpoint(ctx, org.org)
  return { org, endpoint }
}

test('what a dispatcher is at is left to it', async () => {
  const { org, endpoint } = await setUp()
  await write(org)
  await write(org)
  const { signal, hasLooked } = watched()
  let replaying: Promise<void> | undefined
  await ctx.db.transaction(async (tx) => {
    expect(await dispatch(tx, org.org)).toBe(25)
    replaying = replayMissing(org, endpoint, signal)
    await hasLooked
    expect(await deliveriesOf(org, endpoint)).toEqual([{ trigger: null, deliveries: 50 }])
  })
  await dispatchNow(org)
  await replaying
  expect(await deliveriesOf(org, endpoint)).toEqual([{ trigger: 'event', deliveries: 50 }])
})

test('what a dispatcher handed on before it saw the endpoint enabled is not missed', async () => {
  const { org, endpoint } = await setUp()
  const enable = (isEnabled: boolean) =>
    ctx.db.run(sql`
      update webhook_endpoints set is_enabled = ${isEnabled}, disabled_reason = ${isEnabled ? null : 'manual'}
      where org = ${org.org} and id = ${endpoint}`)
  await enable(false)
  await write(org)
  const { signal, hasLooked } = watched()
  let replaying: Promise<void> | undefined
  await ctx.db.transaction(async (tx) => {
    expect(await dispatch(tx, org.org)).toBe(0)
    await enable(true)
    replaying = replayMissing(org, endpoint, signal)
    await hasLooked
  })
  await replaying
  expect(await deliveriesOf(org, endpoint)).toEqual([{ trigger: 'replay', deliveries: 25 }])
})

test('every event gets one delivery, whoever makes it', async () => {
  const { org, endpoint } = await setUp()
  for (let n = 0; n < 8; n++) await write(org)
  await ctx.db.run(sql`delete from event_pending where org = ${org.org}`)
  const rounds = async (work: () => Promise<unknown>) => {
    for (let n = 0; n < 10; n++) await work()
  }
  let isOver = false
  const dispatching = (async () => {
    while ((await dispatchNow(org)) > 0 || !isOver);
  })()
  await Promise.all([
    rounds(() => write(org)),
    rounds(() => write(org)),
    rounds(() => replayMissing(org, endpoint)),
  ])
  isOver = true
  await dispatching
  expect(await deliveriesOf(org, endpoint)).toEqual([
    { trigger: 'event', deliveries: 500 },
    { trigger: 'replay', deliveries: 200 },
  ])
})
