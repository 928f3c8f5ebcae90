// What a lane does when something changes, or goes wrong, while it is held.
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import type { Db } from '../db/pool.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'
import { type Receiver, type Script, startReceiver } from '../test/receiver.ts'
import { restartDelivery } from './deliveries/store.ts'
import { insertDelivery, insertEndpoint } from './endpoint.fixture.ts'
import { createWebhookEngine } from './engine.ts'
import { disableEndpoint } from './health-store.ts'
import { leaseLanes, renewLease, selectDue } from './lanes-store.ts'

const service = await buildTestService()
const { ctx } = service
const now = sql`now()`
const inHours = (hours: number) => sql`(now() + make_interval(hours => ${hours}))`

const receivers: Receiver[] = []
afterAll(async () => {
  await Promise.all(receivers.map((one) => one.close()))
})
async function receiver(script: Script = {}): Promise<Receiver> {
  const one = await startReceiver()
  one.answer(script)
  receivers.push(one)
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

test('after 410 nothing more is sent, however much was read', async () => {
  const hook = await receiver({ status: 410 })
  const { org } = await endpointAt(hook.url)
  await companies(org, 60)
  await service.deliver()
  // Those that were under way, and one or another that took their place.
  expect(hook.requests.length).toBeLessThan(20)
})

test('a lane that finds its endpoint disabled says so, and is still ours to give back', async () => {
  const { org, endpoint } = await endpointAt()
  await ctx.db.run(sql`update webhook_lanes set due_at = now() where endpoint = ${endpoint}`)
  const [lane] = await leaseLanes(ctx.db, 1, now)
  await ctx.db.run(sql`
    update webhook_endpoints set is_enabled = false, disabled_reason = 'manual' where id = ${endpoint}`)
  expect(lane).toMatchObject({ org: org.org, endpoint, isEnabled: true })
  expect(lane && (await renewLease(ctx.db, lane, now))).toMatchObject({ isEnabled: false })
})

test('a 410 of an address that was changed meanwhile disables nothing', async () => {
  const { org, endpoint } = await endpointAt('https://example.com/new')
  const lane = { org: org.org, endpoint }
  const gone = (url: string) => disableEndpoint(ctx.db, lane, { why: { reason: 'gone', url }, now })
  expect(await gone('https://example.com/old')).toBe(false)
  expect(await gone('https://example.com/new')).toBe(true)
})

test('an endpoint that was enabled again meanwhile has not been failing for days', async () => {
  const { org, endpoint } = await endpointAt()
  const failing = () =>
    disableEndpoint(ctx.db, { org: org.org, endpoint }, { why: { reason: 'failing' }, now })
  expect(await failing()).toBe(false)
  await ctx.db.run(sql`
    update webhook_endpoints set failing_since = now() - interval '6 days' where id = ${endpoint}`)
  expect(await failing()).toBe(true)
})

test('a lane that is held hears when the previous secret ends', async () => {
  const { endpoint } = await endpointAt()
  await ctx.db.run(sql`
    update webhook_endpoints set previous_secret = secret, previous_secret_until = now() + interval '24 hours'
    where id = ${endpoint}`)
  await ctx.db.run(sql`update webhook_lanes set due_at = now() where endpoint = ${endpoint}`)
  const [lane] = await leaseLanes(ctx.db, 1, now)
  const later = lane && (await renewLease(ctx.db, lane, inHours(25)))
  expect(lane?.previousSecret).not.toBeNull()
  expect(later?.previousSecret).toBeNull()
  expect(later?.version).not.toBe(lane?.version)
})

test('reads only so much text at once, and one delivery at least', async () => {
  const { org, endpoint } = await endpointAt()
  const lane = { org: org.org, endpoint }
  for (let n = 0; n < 5; n++) await insertDelivery(ctx, lane, { state: 'pending', body: 'é'.repeat(50) })
  const due = (bytes: number) => selectDue(ctx.db, lane, { limit: 10, bytes, underWay: [], now: inHours(2) })
  expect((await due(1)).map(({ size }) => size)).toEqual([100])
  expect(await due(250)).toHaveLength(3)
  expect(await due(10_000)).toHaveLength(5)
})

test('what cannot even be sent is not tried over and over', async () => {
  const { org, endpoint } = await endpointAt()
  await companies(org, 1)
  let tries = 0
  const send = async () => {
    tries++
    throw new Error('no request can be made of this')
  }
  await createWebhookEngine({ ...ctx, egress: { ...ctx.egress, send } }, { lingerMs: 0 }).drain()
  expect(tries).toBe(1)
  const { isPaused } = await ctx.db.one<{ isPaused: boolean }>(sql`
    select not_before > now() + interval '20 s' as "isPaused" from webhook_lanes where endpoint = ${endpoint}`)
  expect(isPaused).toBe(true)
})

test('a lane that could not read what is due goes on shortly', async () => {
  const hook = await receiver()
  const { org } = await endpointAt(hook.url)
  await companies(org, 3)
  let failures = 1
  const many: Db['many'] = async (query) => {
    if (query.text.includes('octet_length') && failures-- > 0) throw new Error('the database is away')
    return ctx.db.many(query)
  }
  await createWebhookEngine({ ...ctx, db: { ...ctx.db, many } }, { lingerMs: 0 }).drain()
  expect(hook.requests).toEqual([])
  service.advance(2000)
  await service.deliver()
  expect(hook.requests).toHaveLength(3)
})

test('a replay that is asked for while an attempt is under way is made', async () => {
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
