import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { WAITING_COUNT_MAX } from '../../../contract/webhook-states.ts'
import type { Endpoint } from '../../../contract/webhooks.ts'
import { newId } from '../../base/id.ts'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import {
  buildWorld,
  countListeners,
  idOf,
  iso,
  make,
  NO_SUCH,
  PATH,
  problemsOf,
  queueDue,
} from './endpoints.fixture.ts'
import { lastHours } from './stats.ts'

const service = await buildTestService()
const { db } = service.ctx

const world = () => buildWorld(service)
const listeners = (org: Org) => countListeners(service, org)
const due = (org: Org, endpoint: string) => queueDue(service, org, endpoint)

/** Inserts a delivery as the engine does. */
const addDelivery = ({ org }: Org, endpoint: string, state: string) =>
  db.run(sql`
    insert into webhook_deliveries (org, endpoint, event, type, state, trigger, give_up_at)
    values (${org}, ${endpoint}, ${newId()}, 'record.created', ${state}, 'event', now())`)

describe('GET /webhooks/endpoints', () => {
  test('lists the endpoints of the organization, oldest first, as they were returned at creation', async () => {
    const [{ olivia }, other] = [await world(), await world()]
    await make(other.olivia)
    const made = [await make(olivia), await make(olivia), await make(olivia)]
    expect((await olivia.get(PATH)).body).toEqual({
      endpoints: made,
      pagination: { total: 3, limit: 3, offset: 0 },
    })
  })

  test('returns the pending deliveries and the statistics of the last 24 hours of each endpoint', async () => {
    const { org, olivia } = await world()
    const [busy, idle] = [await make(olivia), await make(olivia)]
    for (const state of ['pending', 'pending', 'failed', 'succeeded', 'cancelled'])
      await addDelivery(org, busy.id, state)
    const hours = lastHours(new Date())
    await db.run(sql`
      insert into webhook_hours (org, endpoint, hour, succeeded, failed, latency)
      values (${org.org}, ${busy.id}, ${hours[23]}, 3, 1, '{0,4,0,0,0,0,0,0,0,0,0}'),
        (${org.org}, ${busy.id}, ${hours[2]}, 6, 0, '{6,0,0,0,0,0,0,0,0,0,0}'),
        (${org.org}, ${busy.id}, ${hours[0]}::timestamptz - interval '1 hour', 0, 50, '{0,0,0,0,0,0,0,0,0,0,50}')`)
    const { body } = await olivia.get<{ endpoints: Endpoint[] }>(PATH)
    expect(body.endpoints[0]).toMatchObject({
      id: busy.id,
      waiting: 2,
      stats: { succeeded: 9, failed: 1, successRate: 0.9, medianMs: 10, p95Ms: 25 },
    })
    expect(body.endpoints[0]?.stats.hours).toHaveLength(24)
    expect(body.endpoints[1]).toEqual(idle)
    expect((await olivia.get(`${PATH}/${busy.id}`)).body).toEqual(body.endpoints[0])
  })

  test(`counts pending deliveries up to ${WAITING_COUNT_MAX}`, async () => {
    const { org, olivia } = await world()
    const { id } = await make(olivia)
    await db.run(sql`
      insert into webhook_deliveries (org, endpoint, event, type, trigger, give_up_at)
      select ${org.org}, ${id}, gen_random_uuid(), 'record.created', 'event', now()
      from generate_series(1, ${WAITING_COUNT_MAX + 1})`)
    expect((await olivia.get(`${PATH}/${id}`)).body).toMatchObject({ waiting: WAITING_COUNT_MAX })
  })

  test('leaves out deleted objects; an empty list does not select all objects', async () => {
    const { org, olivia } = await world()
    const { body: projects } = await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
    const deals = await idOf(org, 'deals')
    const both = await make(olivia, { objectIds: [projects['id'], deals] })
    const one = await make(olivia, { objectIds: [projects['id']] })
    await org.delete('/objects/projects')
    const { body } = await olivia.get<{ endpoints: Endpoint[] }>(PATH)
    expect(body.endpoints.map(({ objectIds }) => objectIds)).toEqual([[deals], []])
    await olivia.patch(`${PATH}/${both.id}`, { description: 'renamed' })
    const patched = await olivia.patch(`${PATH}/${one.id}`, { description: 'renamed' })
    expect(patched.body).toMatchObject({ description: 'renamed', objectIds: [] })
  })
})

describe('PATCH /webhooks/endpoints/:endpointId', () => {
  const whole = {
    description: 'Orders',
    eventTypes: ['record.updated'],
    changedAttributes: ['stage'],
    headers: [{ name: 'X-Key', value: 'hunter2' }],
    rateLimit: 5,
  }

  test.each([
    { url: 'https://other.example.com/' },
    { description: '' },
    { eventTypes: null },
    { objectIds: null },
    { changedAttributes: null },
    { headers: [] },
    { headers: [{ name: 'X-Other', value: 'b' }] },
    { rateLimit: null },
    {},
  ])('changes only %j', async (patch) => {
    const { org, olivia } = await world()
    const { updatedAt: before, ...made } = await make(olivia, {
      ...whole,
      objectIds: [await idOf(org, 'deals')],
    })
    const body = bodyOf(await olivia.patch<Endpoint>(`${PATH}/${made.id}`, patch))
    const { updatedAt, ...rest } = body
    expect(rest).toEqual({ ...made, ...patch })
    expect(updatedAt >= before).toBe(true)
    expect((await olivia.get(`${PATH}/${made.id}`)).body).toEqual(body)
  })

  test('disabling makes nothing due; enabling makes pending deliveries due and resets failures', async () => {
    const { org, olivia } = await world()
    const { id } = await make(olivia)
    await addDelivery(org, id, 'pending')
    const disabled = await olivia.patch<Endpoint>(`${PATH}/${id}`, { isEnabled: false })
    expect(disabled.body).toMatchObject({
      isEnabled: false,
      disabledReason: 'manual',
      disabledAt: iso,
      waiting: 1,
    })
    expect(await due(org, id)).toBe('never')
    await db.run(sql`
      update webhook_endpoints set disabled_reason = 'failing', failing_since = now() - interval '5 days'
      where org = ${org.org} and id = ${id}`)
    const again = await olivia.patch<Endpoint>(`${PATH}/${id}`, { isEnabled: false, description: 'off' })
    expect(again.body).toMatchObject({ description: 'off', disabledReason: 'failing', failingSince: iso })
    const enabled = await olivia.patch<Endpoint>(`${PATH}/${id}`, { isEnabled: true })
    expect(enabled.body).toMatchObject({
      isEnabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      waiting: 1,
    })
    expect(await due(org, id)).toBe('now')
  })

  test('a new URL, and enabling, end a pause that the receiver requested', async () => {
    const { olivia } = await world()
    const { id } = await make(olivia)
    const pause = () =>
      db.run(sql`update webhook_lanes set not_before = now() + interval '1 hour' where endpoint = ${id}`)
    const isPausedAfter = async (patch: object) => {
      await olivia.patch(`${PATH}/${id}`, patch)
      return db.value<boolean>(
        sql`select not_before > now() as paused from webhook_lanes where endpoint = ${id}`,
      )
    }
    await pause()
    expect(await isPausedAfter({ description: 'busy' })).toBe(true)
    expect(await isPausedAfter({ url: 'https://hooks.example.com/elsewhere' })).toBe(false)
    await pause()
    expect(await isPausedAfter({ isEnabled: false })).toBe(true)
    expect(await isPausedAfter({ isEnabled: true })).toBe(false)
  })

  test('concurrent changes of different fields are all applied', async () => {
    const { olivia } = await world()
    const { id } = await make(olivia, whole)
    const patches = [{ description: 'new' }, { rateLimit: 9 }, { isEnabled: false }, { eventTypes: null }]
    const replies = await Promise.all(patches.map((patch) => olivia.patch(`${PATH}/${id}`, patch)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await olivia.get(`${PATH}/${id}`)).body).toMatchObject(Object.assign({}, ...patches))
  })

  test('enabling an enabled endpoint does not reset failures', async () => {
    const { org, olivia } = await world()
    const { id } = await make(olivia)
    await db.run(sql`
      update webhook_endpoints set failing_since = now() where org = ${org.org} and id = ${id}`)
    const { body } = await olivia.patch(`${PATH}/${id}`, { isEnabled: true })
    expect(body).toMatchObject({ isEnabled: true, failingSince: iso })
  })

  test.each<[object, string]>([
    [{ url: 'ftp://e.com' }, 'url: refused_url'],
    [{ description: 'x'.repeat(501) }, 'description: maxLength'],
    [{ objectIds: [NO_SUCH] }, 'objectIds[0]: unknown_object'],
    [{ headers: [{ name: 'svix-id', value: '1' }] }, 'headers[0].name: reserved_name'],
    [{ isEnabled: 'yes' }, 'isEnabled: type'],
    [{ secret: 'whsec_x' }, 'secret: unknown_field'],
  ])('rejects %# and changes nothing', async (patch, problem) => {
    const { olivia } = await world()
    const made = await make(olivia, whole)
    const refused = await olivia.patch(`${PATH}/${made.id}`, { isEnabled: false, ...patch })
    expectError(refused, 'validation_error')
    expect(problemsOf(refused)).toContain(problem)
    expect((await olivia.get(`${PATH}/${made.id}`)).body).toEqual(made)
  })
})

describe('DELETE /webhooks/endpoints/:endpointId', () => {
  test('deletes the endpoint with its queue, and with the last endpoint the listener', async () => {
    const { org, olivia } = await world()
    const [first, second] = [await make(olivia), await make(olivia)]
    const deleted = await olivia.delete(`${PATH}/${first.id}`)
    expect([deleted.status, deleted.body]).toEqual([200, { id: first.id, deleted: true }])
    expectError(await olivia.get(`${PATH}/${first.id}`), 'not_found')
    expect(await due(org, first.id)).toBeUndefined()
    expect(await listeners(org)).toBe(1)
    await olivia.delete(`${PATH}/${second.id}`)
    expect(await listeners(org)).toBe(0)
    expect((await olivia.get(PATH)).body).toMatchObject({ endpoints: [] })
  })

  test('keeps the listener when another endpoint is created concurrently', async () => {
    const { org, olivia } = await world()
    for (let round = 0; round < 5; round++) {
      const { id } = await make(olivia)
      const [removed, created] = await Promise.all([
        olivia.delete(`${PATH}/${id}`),
        olivia.post<Endpoint>(PATH, { url: 'https://e.com' }),
      ])
      expect([removed.status, created.status]).toEqual([200, 201])
      expect(await listeners(org)).toBe(1)
      await olivia.delete(`${PATH}/${created.body.id}`)
      expect(await listeners(org)).toBe(0)
    }
  })
})
