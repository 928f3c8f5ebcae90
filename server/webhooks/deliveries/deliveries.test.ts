// Listing, reading and replaying deliveries in the dashboard and the portal.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Delivery, DeliveryDetail, DeliveryList } from '../../../contract/webhooks.ts'
import { newId, newIdAt } from '../../base/id.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Requests } from '../../test/dashboard-client.ts'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { portalRequests, visitPortal } from '../../test/portal-client.ts'
import { startReceiver } from '../../test/receiver.ts'
import { formatDeliveryId } from '../delivery-id.ts'
import { type EndpointRows, insertAttempt, insertDelivery, insertEndpoint } from '../endpoint.fixture.ts'

const service = await buildTestService()
const { ctx } = service

const WAYS: [string, (org: Org) => Promise<Requests>][] = [
  ['dashboard', (org) => org.member('admin')],
  ['portal', (org) => visitPortal(service, org)],
]

async function setUp(enter: (org: Org) => Promise<Requests> = (org) => org.member('admin')) {
  const org = await service.org()
  const rows = await insertEndpoint(ctx, org.org)
  return { org, rows, api: await enter(org), list: `/webhooks/endpoints/${rows.endpoint}/deliveries` }
}

const eventsOf = ({ deliveries }: DeliveryList) => deliveries.map(({ eventId }) => eventId)
const pathOf = ({ endpoint }: EndpointRows, event: string) =>
  `/webhooks/deliveries/${formatDeliveryId({ endpoint, event })}`

const stateOf = ({ org, endpoint }: EndpointRows, event: string) =>
  ctx.db.one<{
    state: string
    trigger: string
    tries: number
    attempts: number
    isDue: boolean
    hours: number
  }>(sql`
    select state, trigger, tries, attempts, coalesce(next_attempt_at <= now(), false) as "isDue",
      round(extract(epoch from give_up_at - now()) / 3600)::int as hours
    from webhook_deliveries where org = ${org} and endpoint = ${endpoint} and event = ${event}`)

const isQueueDue = ({ org, endpoint }: EndpointRows) =>
  ctx.db.value<boolean>(
    sql`select due_at <= now() as "isDue" from webhook_lanes where org = ${org} and endpoint = ${endpoint}`,
  )

describe.each(WAYS)('in the %s', (_, enter) => {
  test('deliveries are listed with the newest event first', async () => {
    const { org, rows, api, list } = await setUp(enter)
    const [first, second] = [
      await insertDelivery(ctx, rows, { state: 'pending' }),
      await insertDelivery(ctx, rows, { state: 'succeeded', trigger: 'replay', type: 'activity.updated' }),
    ]
    await insertDelivery(ctx, await insertEndpoint(ctx, org.org))
    const body = bodyOf(await api.get<DeliveryList>(list))
    expect(eventsOf(body)).toEqual([second, first])
    expect(body.pagination).toEqual({ total: 2, limit: 50, offset: 0 })
    const timestamp = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(body.deliveries[0]).toEqual({
      id: formatDeliveryId({ endpoint: rows.endpoint, event: second }),
      endpointId: rows.endpoint,
      eventId: second,
      eventType: 'activity.updated',
      state: 'succeeded',
      trigger: 'replay',
      attempts: 3,
      createdAt: timestamp,
      lastAttemptAt: null,
      lastStatus: null,
      lastFailure: null,
      lastDurationMs: null,
      nextAttemptAt: null,
      giveUpAt: timestamp,
    })
    expect(body.deliveries[1]).toMatchObject({ state: 'pending', nextAttemptAt: timestamp })
  })

  test('a delivery is returned with its exact body and its attempts, newest first', async () => {
    const { rows, api } = await setUp(enter)
    const text = '{"id":"x",  "n":1.50,"ü":"\\u00e9"}'
    const event = await insertDelivery(ctx, rows, { body: text })
    await insertAttempt(ctx, { ...rows, event }, { attempt: 1, failure: 'dns' })
    const response = Buffer.from([0x6e, 0x6f, 0xff])
    await insertAttempt(ctx, { ...rows, event }, { attempt: 2, status: 500, failure: 'status', response })
    const { status, body } = await api.get<DeliveryDetail>(pathOf(rows, event))
    expect(status).toBe(200)
    expect(body).toMatchObject({ eventId: event, endpointUrl: 'https://example.com/hooks', body: text })
    expect(body.attemptList.map(({ attempt }) => attempt)).toEqual([2, 1])
    expect(body.attemptList[0]).toEqual({
      attempt: 2,
      trigger: 'event',
      startedAt: expect.stringMatching(/Z$/),
      request: {
        method: 'POST',
        url: 'https://example.com/hooks',
        headers: { 'webhook-id': 'evt', 'x-key': '••••' },
        ip: '192.0.2.7',
      },
      response: {
        status: 500,
        headers: { 'set-cookie': ['a', 'b'], server: 'x' },
        body: 'no�',
        isTruncated: false,
      },
      failure: 'status',
      message: 'It did not work: look there.',
      timings: { dnsMs: 1.5, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 20.25 },
    })
    expect(body.attemptList[1]).toMatchObject({ failure: 'dns', response: null, request: { ip: null } })
  })

  test.each(['failed', 'succeeded', 'cancelled', 'pending'] as const)(
    'a %s delivery is sent again immediately',
    async (state) => {
      const { rows, api } = await setUp(enter)
      const [event, other] = [await insertDelivery(ctx, rows, { state }), await insertDelivery(ctx, rows)]
      const body = bodyOf(await api.post<Delivery>(`${pathOf(rows, event)}/replay`), 202)
      expect(body).toMatchObject({ eventId: event, state: 'pending', trigger: 'replay', attempts: 3 })
      expect(await stateOf(rows, event)).toEqual({
        state: 'pending',
        trigger: 'replay',
        tries: 0,
        attempts: 3,
        isDue: true,
        hours: 72,
      })
      expect(await isQueueDue(rows)).toBe(true)
      expect((await stateOf(rows, other)).state).toBe('failed')
    },
  )

  test('a replay to a disabled endpoint is rejected', async () => {
    const { org, api } = await setUp(enter)
    const rows = await insertEndpoint(ctx, org.org, { isEnabled: false })
    const event = await insertDelivery(ctx, rows)
    expectError(await api.post(`${pathOf(rows, event)}/replay`), 'endpoint_disabled')
    expect(await stateOf(rows, event)).toMatchObject({ state: 'failed', tries: 3 })
    expect(await isQueueDue(rows)).toBe(false)
  })

  test('unknown deliveries and endpoints, and those of another organization, return 404', async () => {
    const { rows, api } = await setUp(enter)
    const theirs = await setUp()
    const event = await insertDelivery(ctx, theirs.rows)
    const mine = await insertDelivery(ctx, rows)
    for (const path of [
      theirs.list,
      `/webhooks/endpoints/${newId()}/deliveries`,
      '/webhooks/endpoints/x/deliveries',
    ])
      expectError(await api.get(path), 'not_found')
    for (const path of [
      pathOf(theirs.rows, event),
      pathOf(rows, event),
      pathOf(rows, newId()),
      `/webhooks/deliveries/${mine}`,
      '/webhooks/deliveries/dlv_x',
    ]) {
      expectError(await api.get(path), 'not_found')
      expectError(await api.post(`${path}/replay`), 'not_found')
    }
    expect(await stateOf(theirs.rows, event)).toMatchObject({ state: 'failed' })
  })
})

describe('the list', () => {
  test('is filtered by state, type and the time of the event', async () => {
    const { rows, api, list } = await setUp()
    const at = (time: string) => newIdAt(new Date(time))
    const early = await insertDelivery(ctx, rows, { event: at('2026-11-01T10:00:00Z'), state: 'succeeded' })
    const middle = await insertDelivery(ctx, rows, {
      event: at('2026-11-02T10:00:00Z'),
      type: 'record.deleted',
    })
    const late = await insertDelivery(ctx, rows, { event: at('2026-11-03T10:00:00Z'), state: 'pending' })
    const cancelled = await insertDelivery(ctx, rows, {
      event: at('2026-11-04T10:00:00Z'),
      state: 'cancelled',
    })
    const found = async (query: string) => eventsOf((await api.get<DeliveryList>(`${list}?${query}`)).body)
    expect(await found('state=succeeded')).toEqual([early])
    expect(await found('state=failed')).toEqual([middle])
    expect(await found('state=pending')).toEqual([late])
    expect(await found('state=cancelled')).toEqual([cancelled])
    expect(await found('type=record.deleted')).toEqual([middle])
    expect(await found('type=record.created')).toEqual([cancelled, late, early])
    expect(await found('state=failed&type=record.created')).toEqual([])
    expect(await found('from=2026-11-02T10:00:00Z&to=2026-11-03T10:00:00Z')).toEqual([middle])
    expect(await found('from=2026-11-02T11:00:00.001%2B01:00&to=2026-11-03T10:00:00.001Z')).toEqual([late])
    expect(await found('from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z')).toHaveLength(4)
  })

  test('can be read page by page while deliveries are added', async () => {
    const { rows, api, list } = await setUp()
    const events: string[] = []
    for (let n = 0; n < 5; n++) events.unshift(await insertDelivery(ctx, rows))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { body } = await api.get<DeliveryList>(`${list}?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...eventsOf(body))
      cursor = body.pagination.nextCursor
      await insertDelivery(ctx, rows)
    } while (cursor)
    expect(seen).toEqual(events)
  })

  test('accepts a cursor only for the list that returned it', async () => {
    const { org, rows, api, list } = await setUp()
    for (let n = 0; n < 2; n++) await insertDelivery(ctx, rows)
    const { nextCursor } = (await api.get<DeliveryList>(`${list}?limit=1&state=failed`)).body.pagination
    const other = await insertEndpoint(ctx, org.org)
    for (const path of [
      `${list}?`,
      `${list}?state=pending&`,
      `/webhooks/endpoints/${other.endpoint}/deliveries?state=failed&`,
    ])
      expectError(await api.get(`${path}cursor=${nextCursor}`), 'invalid_parameter')
    expect((await api.get(`${list}?state=failed&cursor=${nextCursor}`)).status).toBe(200)
  })

  test.each([
    ['state=odd', 'state'],
    ['type=record.odd', 'type'],
    ['from=2026-02-30T00:00:00Z', 'from'],
    ['to=yesterday', 'to'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=abc', 'cursor'],
    ['odd=1', 'odd'],
  ])('rejects %s, naming the parameter', async (query, path) => {
    const { api, list } = await setUp()
    const reply = await api.get(`${list}?${query}`)
    expectError(reply, 'invalid_parameter')
    expect(reply.body['details']).toMatchObject({ errors: [{ path }] })
  })
})

test('a replay sends the same body and adds one attempt', async () => {
  const { org, api } = await setUp()
  const receiver = await startReceiver()
  const rows = await insertEndpoint(ctx, org.org, { url: receiver.url })
  const text = '{"id":"x",  "n":1.50}'
  const event = await insertDelivery(ctx, rows, { body: text })
  await api.post(`${pathOf(rows, event)}/replay`)
  await service.deliver()
  await receiver.close()
  expect(receiver.requests.map(({ body }) => body.toString())).toEqual([text])
  expect(receiver.requests[0]?.headers['webhook-id']).toBe(event)
  const { body } = await api.get<DeliveryDetail>(pathOf(rows, event))
  expect(body).toMatchObject({ state: 'succeeded', trigger: 'replay', attempts: 4, nextAttemptAt: null })
  expect(body.attemptList).toMatchObject([{ attempt: 4, trigger: 'replay', response: { status: 200 } }])
})

test('deliveries of a deleted endpoint return 404', async () => {
  const { rows, api, list } = await setUp()
  const event = await insertDelivery(ctx, rows)
  await ctx.db.run(sql`delete from webhook_endpoints where org = ${rows.org} and id = ${rows.endpoint}`)
  expectError(await api.get(list), 'not_found')
  expectError(await api.get(pathOf(rows, event)), 'not_found')
  expectError(await api.post(`${pathOf(rows, event)}/replay`), 'not_found')
})

test('requests of members or without a session are rejected', async () => {
  const { org, rows, list } = await setUp()
  const event = await insertDelivery(ctx, rows)
  const member = await org.member('member')
  const outsider = portalRequests(service)
  for (const path of [list, pathOf(rows, event)]) {
    expectError(await member.get(path), 'insufficient_role')
    expectError(await outsider.get(path), 'unauthorized')
  }
  expectError(await member.post(`${pathOf(rows, event)}/replay`), 'insufficient_role')
  expectError(await outsider.post(`${pathOf(rows, event)}/replay`), 'unauthorized')
})
