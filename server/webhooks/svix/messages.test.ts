// Messages to Svix: one for each event, in order, with the same body as a delivery of the service.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { EVENT_BODIES } from '../../../contract/event-bodies.ts'
import { EVENT_TYPES, type EventType } from '../../../contract/events.ts'
import type { Org } from '../../test/factories.ts'
import { createWebhookDispatcher } from '../delivery/dispatcher.ts'
import { registerEventTypes } from './engine.ts'
import { buildSvixWorld, company, enginesOf } from './world.fixture.ts'

const { service, ctx, svix, standIn, listening, takenOf, namesOf, waitingOf } = await buildSvixWorld()

/** The response text of GET /events. */
async function feedOf({ key }: Org): Promise<string> {
  const authorization = `Bearer ${key}`
  return (await service.inject({ url: '/api/v1/events?limit=100', headers: { authorization } })).payload
}

describe('a message', () => {
  test('is sent once, with the body of a delivery and all digits', async () => {
    const org = await listening()
    await org.post('/objects/companies/attributes', { name: 'Serial', type: 'number' })
    const id = await company(org)
    const serial = '12345678901234567890.123456789'
    await org.patch(`/objects/companies/records/${id}`, { data: { serial } })
    await org.delete(`/objects/companies/records/${id}`)
    await service.deliver()
    await service.deliver()
    const taken = takenOf(org)
    expect(taken.map(({ eventType }) => eventType)).toEqual([
      'record.created',
      'record.updated',
      'record.deleted',
    ])
    for (const { body, eventId, eventType, idempotencyKey } of taken) {
      // The feed delays events while an older transaction is open in any database of the server.
      await expect.poll(() => feedOf(org)).toContain(body)
      expect(JSON.parse(body)).toMatchObject({ id: eventId, type: eventType, organizationId: org.id })
      expect(idempotencyKey).toBe(eventId)
    }
    expect(taken[1]?.body).toContain(`"serial": ${serial}`)
    expect(await waitingOf(org)).toEqual([])
  })

  test('is sent for each event of a bulk request, in order', async () => {
    const org = await listening()
    const records = Array.from({ length: 100 }, (_, n) => ({ data: { name: `Company ${n}` } }))
    await org.post('/objects/companies/records/bulk', { mode: 'create', records })
    await service.deliver()
    const ids = takenOf(org).map(({ eventId }) => eventId)
    expect(ids).toHaveLength(100)
    expect(ids).toEqual(ids.toSorted())
  })

  test('is not created for an organization whose portal was never opened, even with a listener', async () => {
    const [stranger, former] = [await service.org(), await service.org()]
    await ctx.db.run(sql`insert into event_listeners (org, listener) values (${former.org}, 'webhooks')`)
    await company(stranger)
    await company(former)
    await service.deliver()
    expect([...takenOf(stranger), ...takenOf(former)]).toEqual([])
    expect(await waitingOf(former)).toEqual([])
    const marked = await ctx.db.many(
      sql`select from event_pending where org in (${stranger.org}, ${former.org})`,
    )
    expect(marked).toEqual([])
  })

  test('is sent only to the application of its organization', async () => {
    const [one, other] = [await listening(), await listening()]
    await company(one, 'One')
    await company(other, 'Other')
    await service.deliver()
    expect([namesOf(one), namesOf(other)]).toEqual([['One'], ['Other']])
  })
})

describe('event types', () => {
  const { signal } = new AbortController()
  const operationsSince = (count: number) =>
    standIn.asked
      .slice(count)
      .map(({ operation }) => operation)
      .filter((one) => one.startsWith('v1.event-type'))

  test('are created with schema and description, and later updated', async () => {
    standIn.eventTypes.clear()
    expect(await registerEventTypes(svix, signal)).toBeNull()
    expect([...standIn.eventTypes.keys()].toSorted()).toEqual(Object.keys(EVENT_TYPES).toSorted())
    for (const [name, { description, schemas }] of standIn.eventTypes) {
      expect(description).toBe(EVENT_TYPES[name as EventType])
      expect(schemas).toEqual({ '1': JSON.parse(JSON.stringify(EVENT_BODIES[name as EventType])) })
    }
    const before = standIn.asked.length
    expect(await registerEventTypes(svix, signal)).toBeNull()
    expect(operationsSince(before)).toEqual(Array(8).fill('v1.event-type.patch'))
  })

  test('can be registered by several processes concurrently', async () => {
    standIn.eventTypes.clear()
    const results = await Promise.all([1, 2, 3].map(() => registerEventTypes(svix, signal)))
    expect(results).toEqual([null, null, null])
    expect(standIn.eventTypes.size).toBe(8)
  })

  test('that Svix rejects do not delay messages, and are registered again', async () => {
    const org = await listening()
    await company(org)
    const engines = enginesOf(ctx)
    standIn.interfere(({ operation }) =>
      operation.startsWith('v1.event-type') ? { status: 500 } : undefined,
    )
    const before = standIn.asked.length
    for (const engine of engines) await engine.drain()
    expect(operationsSince(before)).toEqual(['v1.event-type.patch'])
    expect(namesOf(org)).toEqual(['Acme'])
    standIn.interfere()
    for (const engine of engines) await engine.drain()
    expect(operationsSince(before)).toHaveLength(9)
    for (const engine of engines) await engine.drain()
    expect(operationsSince(before)).toHaveLength(9)
  })
})

test('metrics contain the numbers of waiting, stopped and forgotten messages', async () => {
  const org = await listening()
  await company(org)
  await createWebhookDispatcher(ctx).drain()
  const { payload } = await service.inject({ method: 'GET', url: '/metrics' })
  expect(payload).toMatch(/^rapport_svix_messages\{state="waiting"(?:,cell="1")?\} 1$/m)
  expect(payload).toMatch(/^rapport_svix_messages\{state="stopped"(?:,cell="1")?\} 0$/m)
  expect(payload).toMatch(/^rapport_svix_messages\{state="forgotten"(?:,cell="1")?\} 0$/m)
})
