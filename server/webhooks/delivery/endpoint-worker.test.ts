// Endpoint workers when the endpoint changes or an error occurs while they hold the lease.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Db } from '../../db/pool.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { type Receiver, type Script, startReceiver } from '../../test/receiver.ts'
import { restartDelivery } from '../deliveries/store.ts'
import { insertDelivery, insertEndpoint } from '../endpoint.fixture.ts'
import { createWebhookDispatcher } from './dispatcher.ts'
import { leaseEndpointQueues, renewLease, selectDue } from './endpoint-queue-store.ts'
import { type State, transition } from './endpoint-worker.ts'
import { disableEndpoint } from './health-store.ts'

const service = await buildTestService()
const { ctx } = service
const now = sql`now()`
const inHours = (hours: number) => sql`(now() + make_interval(hours => ${hours}))`

async function receiver(script: Script = {}): Promise<Receiver> {
  const one = await startReceiver()
  one.answer(script)
  return one
}

const companies = (org: Org, count: number) =>
  org.post('/objects/companies/records/bulk', {
    records: Array.from({ length: count }, (_, n) => ({ data: { name: `Company ${n}` } })),
  })

async function endpointAt(url = 'https://example.com/hooks') {
  const org = await service.org()
  const { endpoint } = await insertEndpoint(ctx, org.org, { url })
  return { org, endpoint }
}

const STATES: readonly State[] = ['reading', 'sending', 'waiting', 'draining', 'released']
const ALLOWED = [
  'reading sending',
  'reading draining',
  'sending reading',
  'sending waiting',
  'sending draining',
  'waiting sending',
  'waiting reading',
  'waiting draining',
  'draining released',
]

describe('a transition', () => {
  const pairs = STATES.flatMap((from) => STATES.map((to) => ({ from, to })))

  test.each(pairs.filter(({ from, to }) => ALLOWED.includes(`${from} ${to}`)))(
    'from $from to $to is allowed',
    ({ from, to }) => {
      expect(transition(from, to)).toBe(to)
    },
  )

  test.each(pairs.filter(({ from, to }) => !ALLOWED.includes(`${from} ${to}`)))(
    'from $from to $to throws',
    ({ from, to }) => {
      expect(() => transition(from, to)).toThrow(`from ${from} to ${to}`)
    },
  )
})

test('after 410 no more requests start, even if deliveries are already read', async () => {
  const hook = await receiver({ status: 410 })
  const { org } = await endpointAt(hook.url)
  await companies(org, 60)
  await service.deliver()
  // Requests that started before the first response.
  const sent = hook.requests.length
  expect(sent).toBeLessThan(60)
  await companies(org, 1)
  await service.deliver()
  expect(hook.requests).toHaveLength(sent)
})

test('the lease of a disabled endpoint is renewed, and the renewal returns that it is disabled', async () => {
  const { org, endpoint } = await endpointAt()
  await ctx.db.run(sql`update webhook_lanes set due_at = now() where endpoint = ${endpoint}`)
  const [lease] = await leaseEndpointQueues(ctx.db, { limit: 1, without: [] }, now)
  await ctx.db.run(sql`
    update webhook_endpoints set is_enabled = false, disabled_reason = 'manual' where id = ${endpoint}`)
  expect(lease).toMatchObject({ org: org.org, endpoint, isEnabled: true })
  expect(lease && (await renewLease(ctx.db, lease, now))).toMatchObject({ isEnabled: false })
})

test('a 410 from a former URL does not disable the endpoint', async () => {
  const { org, endpoint } = await endpointAt('https://example.com/new')
  const key = { org: org.org, endpoint }
  const disable = (url: string) => disableEndpoint(ctx.db, key, { why: { reason: 'gone', url }, now })
  expect(await disable('https://example.com/old')).toBe(false)
  expect(await disable('https://example.com/new')).toBe(true)
})

test('an endpoint is disabled as failing only when it has failed for days', async () => {
  const { org, endpoint } = await endpointAt()
  const failing = () =>
    disableEndpoint(ctx.db, { org: org.org, endpoint }, { why: { reason: 'failing' }, now })
  expect(await failing()).toBe(false)
  await ctx.db.run(sql`
    update webhook_endpoints set failing_since = now() - interval '6 days' where id = ${endpoint}`)
  expect(await failing()).toBe(true)
})

test('the renewal of a lease leaves out an expired previous secret', async () => {
  const { endpoint } = await endpointAt()
  await ctx.db.run(sql`
    update webhook_endpoints set previous_secret = secret, previous_secret_until = now() + interval '24 hours'
    where id = ${endpoint}`)
  await ctx.db.run(sql`update webhook_lanes set due_at = now() where endpoint = ${endpoint}`)
  const [lease] = await leaseEndpointQueues(ctx.db, { limit: 1, without: [] }, now)
  const later = lease && (await renewLease(ctx.db, lease, inHours(25)))
  expect(lease?.previousSecret).not.toBeNull()
  expect(later?.previousSecret).toBeNull()
  expect(later?.version).not.toBe(lease?.version)
})

test('one read is limited in bytes, and returns at least one delivery', async () => {
  const { org, endpoint } = await endpointAt()
  const key = { org: org.org, endpoint }
  for (let n = 0; n < 5; n++) await insertDelivery(ctx, key, { state: 'pending', body: 'é'.repeat(50) })
  const due = (bytes: number) => selectDue(ctx.db, key, { limit: 10, bytes, without: [], now: inHours(2) })
  expect((await due(1)).map(({ size }) => size)).toEqual([100])
  expect(await due(250)).toHaveLength(3)
  expect(await due(10_000)).toHaveLength(5)
})

test('a request that cannot be sent is not retried immediately', async () => {
  const { org, endpoint } = await endpointAt()
  await companies(org, 1)
  let tries = 0
  const send = async () => {
    tries++
    throw new Error('no request can be made of this')
  }
  await createWebhookDispatcher({ ...ctx, egress: { ...ctx.egress, send } }, { idleTimeoutMs: 0 }).drain()
  expect(tries).toBe(1)
  const { isPaused } = await ctx.db.one<{ isPaused: boolean }>(sql`
    select not_before > now() + interval '20 s' as "isPaused" from webhook_lanes where endpoint = ${endpoint}`)
  expect(isPaused).toBe(true)
})

test('a worker that could not read due deliveries reads again after a pause', async () => {
  const hook = await receiver()
  const { org } = await endpointAt(hook.url)
  await companies(org, 3)
  let failures = 1
  const many: Db['many'] = async (query) => {
    if (query.text.includes('octet_length') && failures-- > 0) throw new Error('the database is away')
    return ctx.db.many(query)
  }
  await createWebhookDispatcher({ ...ctx, db: { ...ctx.db, many } }, { idleTimeoutMs: 0 }).drain()
  expect(hook.requests).toEqual([])
  service.advance(2000)
  await service.deliver()
  expect(hook.requests).toHaveLength(3)
})

test('a replay that is requested while an attempt is in flight is sent', async () => {
  const hook = await receiver((_, count) => ({ status: 500, delayMs: count === 2 ? 500 : 0 }))
  const { org, endpoint } = await endpointAt(hook.url)
  await companies(org, 1)
  await service.deliver()
  service.advance(7000)
  const delivered = service.deliver()
  await hook.received(2)
  const { event } = await ctx.db.one<{ event: string }>(
    sql`select event from webhook_deliveries where endpoint = ${endpoint}`,
  )
  await restartDelivery(ctx.db, org.org, { endpoint, event })
  await delivered
  await service.deliver()
  const after = await ctx.db.one(sql`
    select state, trigger, attempts, tries from webhook_deliveries where endpoint = ${endpoint}`)
  expect(after).toEqual({ state: 'pending', trigger: 'replay', attempts: 3, tries: 1 })
})

test('a worker that lost its lease sends no more requests, and does not release the queue', async () => {
  const hook = await receiver()
  const { org, endpoint } = await endpointAt(hook.url)
  await companies(org, 1)
  const send: typeof ctx.egress.send = async (request) => {
    if (request.url !== hook.url) return ctx.egress.send(request)
    // During the request, another process leases the queue, the endpoint changes, and another delivery is due.
    await ctx.db.run(sql`
      update webhook_lanes set fence = fence + 1, leased_until = now() + interval '1 hour' where endpoint = ${endpoint}`)
    await ctx.db.run(sql`
      update webhook_endpoints set updated_at = updated_at + interval '1 second' where id = ${endpoint}`)
    const event = await insertDelivery(ctx, { org: org.org, endpoint }, { state: 'pending' })
    await ctx.db.run(sql`
      update webhook_deliveries set next_attempt_at = now() - interval '1 second', give_up_at = now() + interval '1 hour'
      where endpoint = ${endpoint} and event = ${event}`)
    return ctx.egress.send(request)
  }
  await createWebhookDispatcher({ ...ctx, egress: { ...ctx.egress, send } }, { idleTimeoutMs: 0 }).drain()
  expect(hook.requests).toHaveLength(1)
  const { isLeased } = await ctx.db.one<{ isLeased: boolean }>(sql`
    select leased_until > now() + interval '30 minutes' as "isLeased" from webhook_lanes where endpoint = ${endpoint}`)
  expect(isLeased).toBe(true)
})
