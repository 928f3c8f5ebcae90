// Replays of missing events while new events are written and dispatched.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { createDispatch } from '../../events/dispatch.ts'
import { claimEntries } from '../../events/outbox-entries.ts'
import type { Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { endpointSink, insertDeliveries, lockEndpointQueues } from '../delivery/dispatch-store.ts'
import { insertEndpoint } from '../endpoint.fixture.ts'
import { workOnReplay } from './jobs.ts'
import { startReplay } from './replays.ts'

const service = await sharedTestService()
const { ctx } = service

const { round } = createDispatch(ctx.db, { consumer: 'webhooks', now: () => sql`now()`, sink: endpointSink })

/** Runs the dispatcher until no outbox entry is left. */
async function dispatchAll(): Promise<void> {
  while (await round());
}

const write = async ({ post }: Org) => {
  const records = Array.from({ length: 25 }, () => ({ data: { name: `C ${newId()}` } }))
  expect((await post('/objects/companies/records/bulk', { records })).status).toBe(200)
}

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

/** A signal that reports its third check: with two workers, one of them has then read events. */
function watched() {
  const { signal } = new AbortController()
  const { promise: hasLooked, resolve } = Promise.withResolvers<void>()
  let asked = 0
  signal.throwIfAborted = () => {
    if (++asked > 2) resolve()
  }
  return { signal, hasLooked }
}

/** Events counted by the trigger of their delivery; null: no delivery. */
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

test('a replay leaves events with an outbox entry to the dispatcher', async () => {
  const { org, endpoint } = await setUp()
  await write(org)
  const { signal, hasLooked } = watched()
  const replaying = replayMissing(org, endpoint, signal)
  await hasLooked
  expect(await deliveriesOf(org, endpoint)).toEqual([{ trigger: null, deliveries: 25 }])
  await dispatchAll()
  await replaying
  expect(await deliveriesOf(org, endpoint)).toEqual([{ trigger: 'event', deliveries: 25 }])
})

test('a replay gives a new endpoint the events that are dispatched while it is created', async () => {
  const { org, endpoint } = await setUp()
  await write(org)
  const { signal, hasLooked } = watched()
  const handOn = async (tx: Db) => {
    const entries = await claimEntries(
      tx,
      { consumer: 'webhooks', after: 0 },
      { orgs: 20, entries: 500, events: 1000 },
    )
    await lockEndpointQueues(tx, [org.org])
    await insertDeliveries(tx, entries, sql`now()`)
    const made = await insertEndpoint(ctx, org.org)
    const replaying = replayMissing(org, made.endpoint, signal)
    await hasLooked
    return { made, replaying }
  }
  const { made, replaying } = await ctx.db.transaction(handOn)
  await replaying
  expect(await deliveriesOf(org, endpoint)).toEqual([{ trigger: 'event', deliveries: 25 }])
  expect(await deliveriesOf(org, made.endpoint)).toEqual([{ trigger: 'replay', deliveries: 25 }])
})

test('every event gets one delivery, by the dispatcher or by a replay', async () => {
  const { org, endpoint } = await setUp()
  for (let n = 0; n < 8; n++) await write(org)
  await ctx.db.run(sql`delete from event_pending where org = ${org.org}`)
  const rounds = async (work: () => Promise<unknown>) => {
    for (let n = 0; n < 10; n++) await work()
  }
  let isOver = false
  const dispatching = (async () => {
    while (!isOver) await round()
  })()
  await Promise.all([
    rounds(() => write(org)),
    rounds(() => write(org)),
    rounds(() => replayMissing(org, endpoint)),
  ])
  isOver = true
  await dispatching
  await dispatchAll()
  expect(await deliveriesOf(org, endpoint)).toEqual([
    { trigger: 'event', deliveries: 500 },
    { trigger: 'replay', deliveries: 200 },
  ])
})
