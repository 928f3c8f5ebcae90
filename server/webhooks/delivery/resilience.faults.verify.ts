import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { createDispatch, type Sink } from '../../events/dispatch.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { startReceiver } from '../../test/receiver.ts'
import { insertEndpoint } from '../endpoint.fixture.ts'
import { cancelMissed, sweep } from '../jobs.ts'
import type { EndpointRecipient } from './dispatch-store.ts'
import { endpointSink } from './dispatch-store.ts'
import { createWebhookDispatcher } from './dispatcher.ts'
import { leaseEndpointQueues, renewLease } from './endpoint-queue-store.ts'
import { countStuckDeliveries } from './sweeper-store.ts'

const service = await buildTestService()
const { ctx } = service
const now = () => sql`now()`
const dispatchTo = (sink: Sink<EndpointRecipient>) =>
  createDispatch(ctx.db, { consumer: 'webhooks', now, sink })

const company = (org: Org, n = 0) =>
  org.post('/objects/companies/records', { data: { name: `Company ${n}` } })

const statesOf = async ({ org }: Org) =>
  (await ctx.db.many<{ state: string }>(sql`select state from webhook_deliveries where org = ${org}`)).map(
    ({ state }) => state,
  )

describe('a worker', () => {
  test('that was killed while sending loses its lease when it expires, and another sends again', async () => {
    const org = await service.org()
    const hook = await startReceiver()
    const { endpoint } = await insertEndpoint(ctx, org.org, { url: hook.url })
    await company(org)
    const dead = createWebhookDispatcher(ctx)
    hook.answer({ kind: 'never' })
    dead.start()
    await hook.received(1)
    // As after a kill: nothing is written, and the lease stays.
    await dead.stop(0)
    await ctx.db.run(sql`
      update webhook_lanes set leased_until = now() + interval '20 s', fence = fence + 1 where endpoint = ${endpoint}`)
    hook.answer({})
    await service.deliver()
    expect(hook.requests).toHaveLength(1)
    service.advance(21_000)
    await service.deliver()
    expect(hook.requests).toHaveLength(2)
    expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(await statesOf(org)).toEqual(['succeeded'])
  })

  test('holds the only lease of a queue until it expires; another worker then gets the queue', async () => {
    const org = await service.org()
    const { endpoint } = await insertEndpoint(ctx, org.org)
    await ctx.db.run(sql`update webhook_lanes set due_at = '-infinity' where endpoint = ${endpoint}`)
    const lease = async (at = now()) =>
      (await leaseEndpointQueues(ctx.db, { limit: 100, without: [] }, at)).filter(
        (queue) => queue.endpoint === endpoint,
      )
    const races = await Promise.all([lease(), lease(), lease()])
    const [first, ...others] = races.flat()
    expect(others).toEqual([])
    const [second] = await lease(sql`now() + interval '31 s'`)
    expect(second?.fence).toBe((first?.fence ?? 0) + 1)
    expect(first && (await renewLease(ctx.db, first, now()))).toBeUndefined()
    expect(second && (await renewLease(ctx.db, second, now()))).toMatchObject({ endpoint })
    await ctx.db.run(sql`update webhook_lanes set due_at = 'infinity' where endpoint = ${endpoint}`)
  })

  test('sends to a healthy endpoint while 50 others never answer', async () => {
    const org = await service.org()
    const [healthy, silent] = [await startReceiver(), await startReceiver()]
    silent.answer((_, count) => (count % 2 === 0 ? { kind: 'never' } : { kind: 'drip', everyMs: 1000 }))
    for (let n = 0; n < 50; n++) await insertEndpoint(ctx, org.org, { url: silent.url })
    const { endpoint } = await insertEndpoint(ctx, org.org, { url: healthy.url })
    const engine = createWebhookDispatcher(ctx)
    engine.start()
    for (let n = 0; n < 40; n++) await company(org, n)
    await healthy.received(40)
    await silent.received(50)
    await engine.stop(1000)
    silent.answer({})
    // Waiting for the others, 15 s each, would exceed the time limit of the test.
    const states = await ctx.db.many(sql`
      select distinct state from webhook_deliveries where org = ${org.org} and endpoint = ${endpoint}`)
    expect(states).toEqual([{ state: 'succeeded' }])
  })

  test('that runs concurrently with another sends every delivery once', async () => {
    const org = await service.org()
    const hook = await startReceiver()
    await insertEndpoint(ctx, org.org, { url: hook.url })
    const engines = [createWebhookDispatcher(ctx), createWebhookDispatcher(ctx)]
    for (const engine of engines) engine.start()
    await Promise.all(Array.from({ length: 60 }, (_, n) => company(org, n)))
    await hook.received(60)
    await Promise.all(engines.map((engine) => engine.stop(1000)))
    expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(60)
    expect(hook.requests).toHaveLength(60)
    expect(new Set(await statesOf(org))).toEqual(new Set(['succeeded']))
  })

  test('serves organizations in turn, also when one has a backlog', async () => {
    const [busy, calm] = [await service.org(), await service.org()]
    const hook = await startReceiver()
    await insertEndpoint(ctx, busy.org, { url: (await startReceiver()).url, types: ['activity.deleted'] })
    await insertEndpoint(ctx, calm.org, { url: hook.url })
    await ctx.db.run(sql`
      insert into event_pending (org, events) select ${busy.org}, array[uuidv7()] from generate_series(1, 3000)`)
    await company(calm)
    const dispatch = dispatchTo(endpointSink)
    await dispatch.round()
    const waiting = await ctx.db.many(sql`select org from event_pending where org = ${calm.org}`)
    expect(waiting).toEqual([])
    expect(
      await ctx.db.many(sql`select org from event_pending where org = ${busy.org} limit 1`),
    ).toHaveLength(1)
    while (await dispatch.round());
    expect(await ctx.db.many(sql`select org from event_pending limit 1`)).toEqual([])
  })
})

test('events that cannot be dispatched do not delay other organizations', async () => {
  const [sick, well] = [await service.org(), await service.org()]
  for (const org of [sick, well]) {
    await insertEndpoint(ctx, org.org)
    await company(org)
  }
  const { round } = dispatchTo(async (tx, entries, at) => {
    if (entries.some(({ org }) => org === sick.org)) throw new Error('no delivery can be made of this')
    return endpointSink(tx, entries, at)
  })
  for (let rounds = 0; rounds < 10; rounds++) await round().catch(() => undefined)
  expect(await statesOf(well)).toEqual(['pending'])
  expect(await ctx.db.many(sql`select org from event_pending`)).toEqual([{ org: sick.org }])
  while (await dispatchTo(endpointSink).round());
  expect(await statesOf(sick)).toEqual(['pending'])
})

describe('the sweeper', () => {
  test('finds nothing when no delivery is stuck', async () => {
    expect(await countStuckDeliveries(ctx.db)).toEqual({ undispatched: 0, forgottenQueues: 0 })
  })

  test('finds events that are not dispatched', async () => {
    const org = await service.org()
    await insertEndpoint(ctx, org.org)
    await company(org)
    await ctx.db.run(
      sql`update event_pending set created_at = now() - interval '2 min' where org = ${org.org}`,
    )
    expect(await countStuckDeliveries(ctx.db)).toEqual({ undispatched: 1, forgottenQueues: 0 })
    await ctx.db.run(sql`delete from event_pending where org = ${org.org}`)
  })

  test('finds a due delivery whose queue is not due, and wakes the queue', async () => {
    const org = await service.org()
    const hook = await startReceiver()
    const { endpoint } = await insertEndpoint(ctx, org.org, { url: hook.url })
    await company(org)
    const dispatch = dispatchTo(endpointSink)
    while (await dispatch.round());
    await ctx.db.run(sql`update webhook_lanes set due_at = 'infinity' where endpoint = ${endpoint}`)
    await ctx.db.run(sql`
      update webhook_deliveries set next_attempt_at = now() - interval '2 min' where endpoint = ${endpoint}`)
    await service.deliver()
    expect(hook.requests).toEqual([])
    expect(await countStuckDeliveries(ctx.db)).toEqual({ undispatched: 0, forgottenQueues: 1 })
    await sweep(ctx)
    await service.deliver()
    expect(hook.requests).toHaveLength(1)
    expect(await countStuckDeliveries(ctx.db)).toEqual({ undispatched: 0, forgottenQueues: 0 })
  })

  test('cancels pending deliveries of a disabled endpoint after the retry window', async () => {
    const org = await service.org()
    const { endpoint } = await insertEndpoint(ctx, org.org)
    await company(org)
    const dispatch = dispatchTo(endpointSink)
    while (await dispatch.round());
    await ctx.db.run(sql`
      update webhook_endpoints set is_enabled = false, disabled_reason = 'manual' where id = ${endpoint}`)
    const cancel = () => cancelMissed(ctx, new AbortController().signal, new Date())
    await cancel()
    expect(await statesOf(org)).toEqual(['pending'])
    await ctx.db.run(
      sql`update webhook_deliveries set give_up_at = now() - interval '1 second' where endpoint = ${endpoint}`,
    )
    await cancel()
    expect(await statesOf(org)).toEqual(['cancelled'])
  })
})
