// Requests that no client library would send, over a real socket.
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import { buildTestService } from './build-app.ts'

const service = await buildTestService()
const org = await service.org()

const port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)

/** Sends the text and reads until the service closes the connection. With `hangUp` the client closes it. */
async function exchange(text: string | Buffer, hangUp = false): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.write(text)
  if (hangUp) socket.end()
  await once(socket, 'close')
  return received
}

interface RawAnswer {
  status: number
  headers: Map<string, string>
  body: string
}

function parse(received: string): RawAnswer {
  const [head = '', body = ''] = received.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = new Map(
    lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)]),
  )
  return { status: Number(line.split(' ')[1]), headers, body }
}

const request = (line: string, headers: Record<string, string> = {}, body = '') => {
  const all = { Host: 'x', Connection: 'close', Authorization: `Bearer ${org.key}`, ...headers }
  return `${line} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`
}

const records = '/api/v1/objects/companies/records'
const json = { 'Content-Type': 'application/json' }

function expectDocumentedError(answer: RawAnswer): void {
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const body = JSON.parse(answer.body) as Record<string, unknown>
  expect(body).toMatchObject({ error: expect.any(String), message: expect.any(String) })
  expect(body['requestId']).toBe(answer.headers.get('x-request-id'))
}

describe('over a socket', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['binary', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x0d, 0x0a, 0x0d, 0x0a])],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', request('FETCH /')],
    ['a header without a colon', `GET ${records} HTTP/1.1\r\nHost x\r\n\r\n`],
    ['a header name with a space', `GET ${records} HTTP/1.1\r\nHost: x\r\nX Y: z\r\n\r\n`],
    ['U+0000 in a header', request(`GET ${records}`, { 'X-Request-Id': 'a\0b' })],
    ['a bare line feed in a header', request(`GET ${records}`, { 'X-Request-Id': 'a\rb' })],
    [
      'two lengths',
      request(`POST ${records}`, { ...json, 'Content-Length': '2\r\nContent-Length: 3' }, '{}'),
    ],
    [
      'a length and chunks',
      request(
        `POST ${records}`,
        { ...json, 'Content-Length': '2', 'Transfer-Encoding': 'chunked' },
        '2\r\n{}\r\n0\r\n\r\n',
      ),
    ],
    ['a length that is no number', request(`POST ${records}`, { ...json, 'Content-Length': 'two' }, '{}')],
    ['a negative length', request(`POST ${records}`, { ...json, 'Content-Length': '-1' }, '{}')],
    [
      'an invalid chunk size',
      request(`POST ${records}`, { ...json, 'Transfer-Encoding': 'chunked' }, 'zz\r\n{}\r\n0\r\n\r\n'),
    ],
    ['headers of 20 kB', request(`GET ${records}`, { 'X-Large': 'x'.repeat(20_000) })],
    [
      'a thousand headers',
      request(
        `GET ${records}`,
        Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`X-${at}`, 'x'.repeat(20)])),
      ),
    ],
    ['an address of 20 kB', request(`GET /${'x'.repeat(20_000)}`)],
    ['an address with a space', request(`GET ${records}/a b`)],
    ['an address beyond ASCII', Buffer.from(request(`GET ${records}/é`), 'utf8')],
    ['an address with percent faults', request(`GET ${records}/%zz`)],
    ['an absolute address', request(`GET http://example.com${records}/x`)],
    ['an address that is an asterisk', request('OPTIONS *')],
    [
      'a body over the limit in chunks',
      request(
        `POST ${records}`,
        { ...json, 'Transfer-Encoding': 'chunked' },
        `${(BODY_BYTES_MAX + 1).toString(16)}\r\n${'x'.repeat(BODY_BYTES_MAX + 1)}\r\n0\r\n\r\n`,
      ),
    ],
    [
      'a length over the limit without a body',
      request(`POST ${records}`, { ...json, 'Content-Length': '999999999999' }),
    ],
    [
      'a body with incomplete JSON',
      `${request(`POST ${records}`, { ...json, 'Content-Length': '2' }, '{')} `,
    ],
  ])('%s is refused with the documented error', async (_, text) => {
    expectDocumentedError(parse(await exchange(text)))
  })

  test.each([
    ['half a request line', 'GET /api'],
    ['half a header', `GET ${records} HTTP/1.1\r\nHo`],
    ['half a body', request(`POST ${records}`, { ...json, 'Content-Length': '100' }, '{"data":')],
    [
      'half a chunk',
      request(`POST ${records}`, { ...json, 'Transfer-Encoding': 'chunked' }, 'ff\r\n{"data"'),
    ],
  ])('%s, followed by nothing, does not block the service', async (_, text) => {
    const received = await exchange(text, true)
    if (received !== '') expectDocumentedError(parse(received))
  })

  test('a line break in a request id does not add a header to the response', async () => {
    const answer = parse(
      await exchange(request(`GET ${records}`, { 'X-Request-Id': 'a\r\nX-Request-Id: b' })),
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('the requests wrote nothing, and the service still answers', async () => {
    const answer = parse(await exchange(request(`GET ${records}`)))
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toEqual({ records: [], pagination: { total: 0, limit: 50, offset: 0 } })
  })
})
