import sql from 'sql-template-tag'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { beforeEach, describe, expect, test } from 'vitest'
import { EVENT_TYPES, type EventType } from '../../../contract/events.ts'
import { RESPONSE_BYTES_MAX } from '../../../contract/webhook-states.ts'
import type { DeliveryDetail, Endpoint, EndpointSecret } from '../../../contract/webhooks.ts'
import { idTime } from '../../base/id.ts'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf, expectError } from '../../test/factories.ts'
import { type Received, startReceiver } from '../../test/receiver.ts'
import { parseDeliveryId } from '../delivery-id.ts'

const service = await buildTestService()
const { db } = service.ctx
const receiver = await startReceiver()
beforeEach(() => receiver.answer({}))

const types = Object.keys(EVENT_TYPES) as EventType[]

async function world(input: object = {}) {
  const org = await service.org()
  const olivia = await org.member('owner')
  const { body } = await olivia.post<Endpoint>('/webhooks/endpoints', {
    url: `${receiver.url}/hooks?a=1`,
    ...input,
  })
  const path = `/webhooks/endpoints/${body.id}`
  return {
    org,
    olivia,
    endpoint: body,
    path,
    send: (type: string = 'record.created') => olivia.post<DeliveryDetail>(`${path}/test`, { type }),
    secret: async () => (await olivia.get<EndpointSecret>(`${path}/secret`)).body.secret,
    rotate: async () => (await olivia.post<EndpointSecret>(`${path}/secret/rotate`)).body.secret,
  }
}

const last = (): Received => {
  const received = receiver.requests.at(-1)
  if (!received) throw new Error('nothing came')
  return received
}

const headersOf = ({ headers }: Received) => headers as Record<string, string>

const stored = (org: number, table: 'webhook_attempts' | 'webhook_deliveries' | 'webhook_messages') => {
  const statements = {
    webhook_attempts: sql`select * from webhook_attempts where org = ${org}`,
    webhook_deliveries: sql`select * from webhook_deliveries where org = ${org}`,
    webhook_messages: sql`select * from webhook_messages where org = ${org}`,
  }
  return db.many<Record<string, unknown>>(statements[table])
}

describe('POST /webhooks/endpoints/:endpointId/test', () => {
  test.each(types)('%s is sent with a signature that both packages verify', async (type) => {
    const { org, send, secret } = await world()
    const detail = bodyOf(await send(type))
    const received = last()
    const text = received.body.toString()
    expect(received).toMatchObject({ method: 'POST', path: '/hooks?a=1' })
    const key = await secret()
    expect(new StandardWebhook(key).verify(text, headersOf(received))).toEqual(JSON.parse(text))
    new SvixWebhook(key).verify(text, headersOf(received))
    expect(() => new SvixWebhook(key).verify(`${text} `, headersOf(received))).toThrow()
    expect(JSON.parse(text)).toMatchObject({ type, test: true, organizationId: org.id })
    expect([detail.body, detail.eventType, detail.state]).toEqual([text, type, 'succeeded'])
    expect(text).toBe(JSON.stringify(JSON.parse(text)))
  })

  test('is verified by both secrets during a rotation', async () => {
    const { send, secret, rotate } = await world()
    const keys = [await secret(), await rotate()]
    await send()
    const received = last()
    for (const key of keys)
      expect(new StandardWebhook(key).verify(received.body.toString(), headersOf(received))).toBeDefined()
  })

  test('returns the delivery with its one attempt, and stores the same', async () => {
    receiver.answer({ status: 201, headers: { 'x-test': 'yes' }, body: 'thänks' })
    const { org, endpoint, send } = await world({ headers: [{ name: 'X-Key', value: 'hunter2' }] })
    const { body: detail } = await send('record.updated')
    const received = last()
    expect(headersOf(received)['x-key']).toBe('hunter2')
    const eventId = headersOf(received)['webhook-id'] ?? ''
    expect(detail).toMatchObject({
      endpointId: endpoint.id,
      eventId,
      state: 'succeeded',
      trigger: 'test',
      attempts: 1,
      lastStatus: 201,
      lastFailure: null,
      nextAttemptAt: null,
      endpointUrl: `${receiver.url}/hooks?a=1`,
    })
    expect(parseDeliveryId(detail.id)).toEqual({ endpoint: endpoint.id, event: eventId })
    expect(JSON.parse(detail.body)).toMatchObject({
      id: eventId,
      timestamp: new Date(idTime(eventId)).toISOString(),
    })
    const [attempt] = detail.attemptList
    expect(detail.attemptList).toHaveLength(1)
    expect(attempt).toMatchObject({
      attempt: 1,
      trigger: 'test',
      startedAt: detail.lastAttemptAt,
      request: { method: 'POST', ip: '127.0.0.1' },
      response: { status: 201, body: 'thänks', isTruncated: false },
      failure: null,
      message: null,
      timings: { totalMs: expect.any(Number) },
    })
    expect(attempt?.response?.headers).toMatchObject({ 'x-test': 'yes' })
    expect(attempt?.request.headers).toMatchObject({ 'webhook-id': eventId, 'x-key': '••••' })
    const [delivery] = await stored(org.org, 'webhook_deliveries')
    expect(delivery).toMatchObject({
      endpoint: endpoint.id,
      event: eventId,
      type: 'record.updated',
      state: 'succeeded',
      trigger: 'test',
      attempts: 1,
      next_attempt_at: null,
      created_at: detail.createdAt,
      last_attempt_at: detail.lastAttemptAt,
      last_status: 201,
      last_duration_ms: detail.lastDurationMs,
    })
    expect(await stored(org.org, 'webhook_messages')).toEqual([
      { org: org.org, event: eventId, type: 'record.updated', body: received.body.toString() },
    ])
    expect(await stored(org.org, 'webhook_attempts')).toEqual([
      expect.objectContaining({
        endpoint: endpoint.id,
        event: eventId,
        attempt: 1,
        trigger: 'test',
        url: detail.endpointUrl,
        request_headers: attempt?.request.headers,
        status: 201,
        response_headers: attempt?.response?.headers,
        response_body: Buffer.from('thänks'),
      }),
    ])
  })

  test('sends a new event each time', async () => {
    const { send } = await world()
    const [first, second] = [(await send()).body, (await send()).body]
    expect(second.eventId).not.toBe(first.eventId)
  })

  test.each([
    [
      { status: 500, body: 'boom' },
      { failure: 'status', message: 'responded with 500 Internal Server Error: check the receiver’s log' },
      500,
    ],
    [{ status: 302, headers: { location: '/x' } }, { failure: 'redirect' }, 302],
  ])('returns and stores a failure: %j', async (answer, attempt, status) => {
    receiver.answer(answer)
    const { org, send } = await world()
    const reply = await send()
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ state: 'failed', lastStatus: status, nextAttemptAt: null })
    expect(reply.body.attemptList[0]).toMatchObject(attempt)
    expect(await stored(org.org, 'webhook_deliveries')).toMatchObject([
      { state: 'failed', next_attempt_at: null, last_failure: attempt.failure },
    ])
  })

  test('returns a failure without a response when the receiver refuses the connection', async () => {
    const closed = await startReceiver()
    await closed.close()
    const { org, send } = await world({ url: closed.url })
    const { body } = await send()
    expect(body).toMatchObject({ state: 'failed', lastStatus: null, lastFailure: 'refused' })
    expect(body.attemptList[0]).toMatchObject({ response: null, message: expect.any(String) })
    expect(await stored(org.org, 'webhook_attempts')).toMatchObject([{ status: null, response_body: null }])
  })

  test('stores the response up to the limit, also when it is not text', async () => {
    receiver.answer({ body: Buffer.alloc(RESPONSE_BYTES_MAX * 2, 0xff) })
    const { org, send } = await world()
    const [attempt] = (await send()).body.attemptList
    expect(attempt?.response).toMatchObject({ isTruncated: true, body: '\ufffd'.repeat(RESPONSE_BYTES_MAX) })
    const [row] = await stored(org.org, 'webhook_attempts')
    expect([row?.['is_truncated'], row?.['response_body']]).toEqual([
      true,
      Buffer.alloc(RESPONSE_BYTES_MAX, 0xff),
    ])
  })

  test('sends to a disabled endpoint too, without changing its state or statistics', async () => {
    receiver.answer({ status: 410 })
    const { olivia, path, send } = await world()
    const { body: disabled } = await olivia.patch(path, { isEnabled: false })
    const before = receiver.count()
    expect((await send()).body.attemptList[0]).toMatchObject({ response: { status: 410 } })
    expect(receiver.count()).toBe(before + 1)
    expect((await olivia.get(path)).body).toEqual(disabled)
  })

  test('is rejected while five others of the organization are in flight, and accepted afterwards', async () => {
    const { send } = await world()
    const { send: sendElsewhere } = await world()
    const before = receiver.count()
    receiver.answer({ kind: 'never' })
    const five = Array.from({ length: 5 }, () => send())
    await receiver.received(before + 5)
    expectError(await send(), 'rate_limit_exceeded')
    receiver.answer({})
    expect((await sendElsewhere()).status).toBe(200)
    receiver.resetConnections()
    await Promise.all(five)
    expect((await send()).status).toBe(200)
  })

  test('cannot be replayed', async () => {
    const { olivia, send } = await world()
    const { body } = await send()
    expectError(await olivia.post(`/webhooks/deliveries/${body.id}/replay`), 'wrong_state')
  })

  test('returns 404 when the endpoint is deleted during the request', async () => {
    const { org, olivia, path, send } = await world()
    receiver.answer({ kind: 'never' })
    const sent = send()
    await receiver.received(receiver.count() + 1)
    expect((await olivia.delete(path)).status).toBe(200)
    receiver.resetConnections()
    expectError(await sent, 'not_found')
    expect(await stored(org.org, 'webhook_deliveries')).toEqual([])
  })

  test.each([
    ['{}', 'type: required'],
    ['{"type":"record.read"}', 'type: enum'],
    ['{"type":"record.created","body":"{}"}', 'body: unknown_field'],
  ])('rejects %s', async (body, problem) => {
    const { olivia, path } = await world()
    const refused = await olivia.post(`${path}/test`, body)
    expectError(refused, 'validation_error')
    const { errors } = refused.body['details'] as { errors: { path: string; code: string }[] }
    expect(errors.map((one) => `${one.path}: ${one.code}`)).toEqual([problem])
  })
})

describe('GET /webhooks/catalogue', () => {
  interface Entry {
    name: EventType
    description: string
    schema: { required: string[]; properties: Record<string, unknown> }
    example: string
  }

  test('describes every type, with its schema and a formatted example', async () => {
    const { org, olivia } = await world()
    const body = bodyOf(await olivia.get<{ eventTypes: Entry[] }>('/webhooks/catalogue'))
    expect(body.eventTypes.map(({ name, description }) => [name, description])).toEqual(
      Object.entries(EVENT_TYPES),
    )
    for (const { name, schema, example } of body.eventTypes) {
      const parsed = JSON.parse(example) as Record<string, unknown>
      expect(parsed).toMatchObject({ type: name, organizationId: org.id })
      expect(Object.keys(parsed).sort()).toEqual(schema.required.toSorted())
      expect(schema.properties['type']).toMatchObject({ const: name })
      expect(example).toBe(JSON.stringify(parsed, null, 2))
    }
  })
})
