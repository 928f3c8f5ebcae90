// Bodies that could exhaust the memory of the process: too large for their sender, or too many at the same time.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { ENTRANCE_BODY_BYTES_MAX } from '../../contract/limits.ts'
import { buildTestService } from './build-app.ts'

const KIB = 1024
const MIB = 1024 ** 2
const service = await buildTestService({
  bodyBytes: { key: 2 * MIB, organization: 3 * MIB, process: 4 * MIB },
})
const org = await service.org()
const BULK = '/api/v1/objects/companies/records/bulk'
const sockets: Socket[] = []

const port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

const head = (key: string, headers: string) =>
  `POST ${BULK} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`

async function open(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** Reads until the first answer is complete. */
async function answerOf(socket: Socket): Promise<{ status: number; headers: string; body: ErrorAnswer }> {
  let received = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received += String(chunk)
    const [headers = '', text = ''] = received.split('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? Number.NaN)
    if (text.length >= length)
      return { status: Number(received.slice(9, 12)), headers, body: JSON.parse(text) }
  }
  throw new Error(`The connection ended: ${received}`)
}

interface ErrorAnswer {
  error: string
  message: string
  details: { bound: string }
}

/** Starts a request that declares `length` bytes, and sends the first `arrived` bytes of its body, as spaces. */
const begin = (key: string, length: number, arrived: number) =>
  open(head(key, `Content-Length: ${length}`) + ' '.repeat(arrived))

async function countedBytes(): Promise<number> {
  const { payload } = await service.inject({ method: 'GET', url: '/metrics' })
  return Number(/^rapport_request_body_bytes (\d+)$/m.exec(payload)?.[1])
}

/** Waits until the service counts `bytes`. */
async function untilCounted(bytes: number): Promise<void> {
  await expect.poll(countedBytes).toBe(bytes)
}

/** Sends the rest of a body, of this number of bytes. */
const create = (socket: Socket, bytes: number) => {
  const body = JSON.stringify({ mode: 'create', records: [{ data: { name: 'Acme' } }] })
  socket.write(body + ' '.repeat(bytes - body.length))
}

describe('bodies in transit', () => {
  test('count by their arrived bytes, not by their declared length', async () => {
    const senders = await Promise.all(Array.from({ length: 7 }, () => service.org()))
    const held = await Promise.all(senders.map(({ key }) => begin(key, 8 * MIB, 1)))
    // Each body counts 64 KiB at first.
    await untilCounted(7 * 64 * KIB)
    const writer = await service.org()
    const socket = await begin(writer.key, MIB, 0)
    create(socket, MIB)
    expect((await answerOf(socket)).status).toBe(200)
    for (const one of held) one.destroy()
    await untilCounted(0)
  })

  test('over the bound of a key get 429 with the name of the bound and Retry-After', async () => {
    const { key } = await service.org()
    const first = await begin(key, 1.5 * MIB, 1.25 * MIB)
    await untilCounted(1.5 * MIB)
    const { status, headers, body } = await answerOf(await begin(key, MIB, MIB))
    expect(status).toBe(429)
    expect(headers).toMatch(/retry-after: 2/)
    expect(headers).not.toMatch(/connection: close/)
    expect(body).toMatchObject({ error: 'rate_limit_exceeded', details: { bound: 'BODY_BYTES_PER_KEY' } })
    expect(body.message).toMatch(/this API key .* 2\.0 MiB: .* BODY_BYTES_PER_KEY/)
    create(first, 0.25 * MIB)
    expect((await answerOf(first)).status).toBe(200)
    await untilCounted(0)
  })

  test('over the bound of an organization get 429, with any of its keys', async () => {
    const [one, two] = [org.key, await org.keyWith(['records:write'])]
    const first = await begin(one, 1.75 * MIB, 1.5 * MIB)
    await untilCounted(1.75 * MIB)
    const { status, body } = await answerOf(await begin(two, 1.5 * MIB, 1.5 * MIB))
    expect([status, body.details.bound]).toEqual([429, 'BODY_BYTES_PER_ORGANIZATION'])
    first.destroy()
    await untilCounted(0)
  })

  test('over the bound of the process, the organization with the most bytes gets 503 for its body', async () => {
    const others = [await service.org(), await service.org()]
    const most = await begin(others[0]?.key ?? '', 1.75 * MIB, 1.5 * MIB)
    const less = await begin(others[1]?.key ?? '', 1.5 * MIB, 1.25 * MIB)
    await untilCounted(3.25 * MIB)
    const third = await begin(org.key, MIB, 0)
    create(third, MIB)
    expect((await answerOf(third)).status).toBe(200)
    const { status, headers, body } = await answerOf(most)
    expect([status, body.error, body.details.bound]).toEqual([503, 'unavailable', 'BODY_BYTES'])
    expect(headers).toMatch(/retry-after: \d+/)
    await untilCounted(1.5 * MIB)
    create(less, 0.25 * MIB)
    expect((await answerOf(less)).status).toBe(200)
    await untilCounted(0)
  })

  test('over the bound of the process, a further body of the largest sender gets 503, small ones pass', async () => {
    const others = [await service.org(), await service.org()]
    const held = [
      await begin(others[0]?.key ?? '', 1.5 * MIB, 1.25 * MIB),
      await begin(others[1]?.key ?? '', 1.5 * MIB, 1.25 * MIB),
    ]
    await untilCounted(3 * MIB)
    const own = await begin(await (others[0] ?? org).keyWith(['records:write']), 1.25 * MIB, 1.25 * MIB)
    const { status, body } = await answerOf(own)
    expect([status, body.error, body.details.bound]).toEqual([503, 'unavailable', 'BODY_BYTES'])
    expect((await org.post('/objects/companies/records', { data: { name: 'Small' } })).status).toBe(201)
    for (const socket of held) socket.destroy()
    await untilCounted(0)
  })

  test('without a declared length count as they arrive', async () => {
    const { key } = await service.org()
    const first = await open(head(key, 'Transfer-Encoding: chunked'))
    first.write(`${(1.5 * MIB).toString(16)}\r\n${' '.repeat(1.5 * MIB)}\r\n`)
    await expect.poll(countedBytes).toBeGreaterThan(1.4 * MIB)
    expect((await answerOf(await begin(key, MIB, MIB))).status).toBe(429)
    first.destroy()
    await untilCounted(0)
  })

  test('with very many small values count by their size in memory', async () => {
    const { key } = await service.org()
    const first = await begin(key, 1000, 1)
    await untilCounted(1000)
    const records = `[${'{},'.repeat(99)}{"data":{"name":[${'1,'.repeat(100_000)}1]}}]`
    const { status, body } = await answerOf(
      await open(head(key, `Content-Length: ${records.length}`) + records),
    )
    expect([status, body.details.bound]).toEqual([429, 'BODY_BYTES_PER_KEY'])
    first.destroy()
    await untilCounted(0)
  })

  test('larger than a bound are accepted if no others are in transit', async () => {
    const { key } = await service.org()
    const socket = await begin(key, 2.5 * MIB, 0)
    create(socket, 2.5 * MIB)
    expect((await answerOf(socket)).status).toBe(200)
    await untilCounted(0)
  })
})

describe('a body without a session', () => {
  const entrances = service.routes.filter(
    ({ url, method }) =>
      method !== 'GET' &&
      method !== 'HEAD' &&
      /^\/(?:dashboard|portal)\/api\/(?:sign-|forgot|reset|invitations|session$)/.test(url) &&
      !url.startsWith('/dashboard/api/session'),
  )

  test.each(entrances.map(({ method, url }) => ({ method: String(method), url })))(
    'has a small limit: $method $url',
    async ({ method, url }) => {
      const response = await service.inject({
        method: method as 'POST',
        url: url.replaceAll(/:\w+/g, 'x'),
        headers: { 'content-type': 'application/json' },
        payload: `{"a":"${'a'.repeat(ENTRANCE_BODY_BYTES_MAX)}"}`,
      })
      expect([response.statusCode, response.json().error]).toEqual([413, 'payload_too_large'])
    },
  )

  test('is not read at an unknown address', async () => {
    const response = await service.inject({
      method: 'POST',
      url: '/no-such-address',
      headers: { 'content-type': 'application/json' },
      payload: 'this is not JSON',
    })
    expect(response.statusCode).toBe(404)
  })
})

test('an object of more than 1000 fields is refused before its fields are checked', async () => {
  const fields = Array.from({ length: 1001 }, (_, index) => [`field_${index}`, 1])
  const { status, body } = await org.post('/objects', Object.fromEntries(fields))
  expect(status).toBe(400)
  expect(body).toMatchObject({
    error: 'validation_error',
    details: { errors: [{ code: 'too_many_fields' }] },
  })
})

test.each(['application/x-www-form-urlencoded', 'text/plain', 'application/json'])(
  'an empty body of type %s counts as no body',
  async (type) => {
    const response = await service.inject({
      method: 'POST',
      url: '/api/v1/reports/0198c0de-0000-7000-8000-000000000001/run',
      headers: { authorization: `Bearer ${org.key}`, 'content-type': type, 'content-length': '0' },
    })
    expect(response.statusCode).toBe(404)
  },
)

test('a compressed body gets 415, and the message names the compression', async () => {
  const headers = { 'content-encoding': 'gzip' }
  const { status, body } = await org.post('/objects', { pluralName: 'Boats', singularName: 'Boat' }, headers)
  expect(status).toBe(415)
  expect(body['message']).toMatch(/gzip.*uncompressed/)
})
