// The rates of requests by user, organization and address, and the headers of the rate.
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeKey } from '../identity/api-keys/key.ts'
import { buildTestService } from './build-app.ts'

const LIMIT = 5
const strict = await buildTestService({
  rateLimitPerMinute: LIMIT,
  sessionRates: { user: LIMIT, organization: 2 * LIMIT, address: LIMIT },
})
const roomy = await buildTestService()
let addresses = 0
const newAddress = () => `198.51.100.${++addresses}`

const ask = (url: string, options: InjectOptions = {}) =>
  strict.inject({ method: 'GET', url, remoteAddress: newAddress(), ...options })

/** The statuses of several equal requests, in order. */
async function statuses(count: number, url: string, options: InjectOptions): Promise<number[]> {
  const found: number[] = []
  for (let nr = 0; nr < count; nr++) found.push((await ask(url, options)).statusCode)
  return found
}
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

describe('without a valid API key', () => {
  test.each([
    ['without a key', {}],
    ['with an unknown key', { authorization: `Bearer ${makeKey()}` }],
  ])('requests %s are limited by address: 401 up to the limit, then 429', async (_, headers) => {
    const remoteAddress = newAddress()
    expect(await statuses(LIMIT + 2, '/api/v1/objects', { remoteAddress, headers })).toEqual([
      ...times(LIMIT, 401),
      ...times(2, 429),
    ])
    const { headers: limits, payload } = await ask('/api/v1/objects', { remoteAddress, headers })
    expect(JSON.parse(payload)).toMatchObject({ error: 'rate_limit_exceeded' })
    expect(Number(limits['retry-after'])).toBeGreaterThan(0)
    expect(limits['x-ratelimit-remaining']).toBe('0')
  })

  test('other addresses and valid keys from the same address are not affected', async () => {
    const remoteAddress = newAddress()
    await statuses(LIMIT + 1, '/api/v1/objects', { remoteAddress })
    expect((await ask('/api/v1/objects')).statusCode).toBe(401)
    const { key } = await strict.org()
    const headers = { authorization: `Bearer ${key}` }
    expect((await ask('/api/v1/objects', { remoteAddress, headers })).statusCode).toBe(200)
  })
})

describe('every answer under /api/v1 carries the headers of the rate', () => {
  let port = 0
  beforeAll(async () => {
    port = Number(new URL(await roomy.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })

  async function exchange(request: string): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(request)
    return text(socket)
  }

  const LENGTH = 'Content-Length: 3000000'
  const post = (headers: string) =>
    `POST /api/v1/objects HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}`
  test.each([
    ['200', (key: string) => `GET /api/v1/objects HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${key}\r\n`],
    ['200', () => 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['400', () => 'GET /api/v1/objects HTTP/1.1\r\nHost a\r\n\r\n'],
    ['401', () => 'GET /api/v1/objects HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['404', (key: string) => `GET /api/v1/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${key}\r\n`],
    ['404', (key: string) => `GET /api/v1/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${key}\r\n`],
    ['405', (key: string) => `PUT /api/v1/objects HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${key}\r\n`],
    [
      '413',
      (key: string) => post(`${key}Content-Type: application/json\r\n${LENGTH}\r\n\r\n${' '.repeat(3e6)}`),
    ],
    ['415', (key: string) => post(`${key}Content-Type: text/plain\r\nContent-Length: 1\r\n\r\na`)],
    ['431', () => `GET /api/v1/objects HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('with status %s', async (status, requestWith) => {
    const { key } = await roomy.org()
    const answer = await exchange(requestWith(`Authorization: Bearer ${key}\r\n`))
    expect(answer.slice(9, 12)).toBe(status)
    for (const name of ['limit', 'remaining', 'reset'])
      expect(answer.toLowerCase()).toMatch(new RegExp(`\r\nx-ratelimit-${name}: \\d+\r\n`))
  })

  test('requests for the API document count toward the rate of their key', async () => {
    const { key } = await strict.org()
    const headers = { authorization: `Bearer ${key}` }
    expect(await statuses(LIMIT + 1, '/api/v1/openapi.json', { headers })).toEqual([
      ...times(LIMIT, 200),
      429,
    ])
    expect((await ask('/api/v1/objects', { headers })).statusCode).toBe(429)
  })
})

describe('in the dashboard', () => {
  test('a signed-in user is limited across all addresses, and the answer names the setting', async () => {
    const owner = await (await strict.org()).member('owner')
    const headers = { cookie: owner.cookie }
    expect(await statuses(LIMIT + 1, '/dashboard/api/session', { headers })).toEqual([
      ...times(LIMIT, 200),
      429,
    ])
    const { payload } = await ask('/dashboard/api/session', { headers })
    expect(JSON.parse(payload)).toMatchObject({
      error: 'rate_limit_exceeded',
      details: { bound: 'USER_RATE_LIMIT_PER_MINUTE', retryAfter: expect.any(Number) },
    })
  })

  test('the users of an organization are limited together, without effect on other organizations', async () => {
    const org = await strict.org()
    const members = await org.members('owner', 'admin', 'member')
    const url = `/dashboard/api/organizations/org-${org.id}/members`
    const found: number[] = []
    for (const { cookie } of members) found.push(...(await statuses(4, url, { headers: { cookie } })))
    expect(found).toEqual([...times(2 * LIMIT, 200), ...times(2, 429)])
    const other = await strict.org()
    const { cookie } = await other.member('owner')
    const its = `/dashboard/api/organizations/org-${other.id}/members`
    expect((await ask(its, { headers: { cookie } })).statusCode).toBe(200)
  })

  test('requests without a session are limited by address', async () => {
    const remoteAddress = newAddress()
    const url = '/dashboard/api/session'
    expect(await statuses(LIMIT + 1, url, { remoteAddress })).toEqual([...times(LIMIT, 401), 429])
    expect((await ask(url)).statusCode).toBe(401)
  })

  test('sign-in is limited by address before the body is read', async () => {
    const remoteAddress = newAddress()
    const options: InjectOptions = {
      method: 'POST',
      remoteAddress,
      headers: { 'content-type': 'application/json' },
      payload: 'this is not JSON',
    }
    expect(await statuses(LIMIT + 1, '/dashboard/api/sign-in', options)).toEqual([...times(LIMIT, 400), 429])
  })
})

describe('public routes', () => {
  test.each(['/docs', '/files/x/y', '/nothing', '/portal/api/session', '/portal/api/webhooks/portal'])(
    '%s is limited by address',
    async (url) => {
      const remoteAddress = newAddress()
      const found = await statuses(LIMIT + 1, url, { remoteAddress })
      expect(found.slice(0, LIMIT)).not.toContain(429)
      expect(found.at(-1)).toBe(429)
    },
  )

  test.each(['/healthz', '/readyz'])('%s is not limited', async (url) => {
    expect(await statuses(LIMIT + 2, url, { remoteAddress: newAddress() })).toEqual(times(LIMIT + 2, 200))
  })
})
