import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { builtPages } from '../pages/pages.ts'
import { buildTestService } from '../test/build-app.ts'

const open = await buildTestService()
const closed = await buildTestService({ metricsToken: 'secret-of-metrics' })
const behindProxy = await buildTestService({ trustProxy: 1 })

const status = async (service: typeof open, options: Omit<InjectOptions, 'url'> = {}) =>
  (await service.inject({ url: '/metrics', ...options })).statusCode

test.each(['127.0.0.1', '127.9.9.9', '::1'])(
  'without a configured token, metrics are available to %s',
  async (remoteAddress) => {
    expect(await status(open, { remoteAddress })).toBe(200)
  },
)

test.each(['192.0.2.1', '10.0.0.1', '2001:db8::1'])(
  'without a configured token, metrics are refused to %s',
  async (remoteAddress) => {
    expect(await status(open, { remoteAddress })).toBe(401)
  },
)

test('without a configured token, metrics are refused to requests through a local proxy', async () => {
  expect(await status(open, { headers: { 'x-forwarded-for': '192.0.2.1' } })).toBe(401)
  expect(await status(open, { headers: { 'x-forwarded-for': '127.0.0.1' } })).toBe(401)
  expect(await status(behindProxy, { headers: { 'x-forwarded-for': '192.0.2.1' } })).toBe(401)
})

test('without a configured token, a forwarded header does not make a remote client local', async () => {
  const claim = { 'x-forwarded-for': '127.0.0.1' }
  expect(await status(behindProxy, { headers: claim, remoteAddress: '192.0.2.1' })).toBe(401)
  expect(await status(behindProxy, { headers: claim })).toBe(401)
  expect(await status(behindProxy)).toBe(200)
})

test.each([
  ['the token', 'Bearer secret-of-metrics', 200],
  ['no token', undefined, 401],
  ['another token', 'Bearer secret-of-metricS', 401],
  ['the beginning of the token', 'Bearer secret', 401],
])('with a configured token: the status for %s (case %#)', async (_, authorization, expected) => {
  const headers = authorization === undefined ? {} : { authorization }
  expect(await status(closed, { headers, remoteAddress: '192.0.2.1' })).toBe(expected)
  expect(await status(closed, { headers })).toBe(expected)
})

test('the counter of 503 responses exists from the start, at zero', async () => {
  const building = await buildTestService({}, { ...builtPages(), state: () => 'building' })
  const counted = async () => {
    const { payload } = await building.inject({ url: '/metrics' })
    return /^rapport_http_unavailable_total (\d+)$/m.exec(payload)?.[1]
  }
  expect(await counted()).toBe('0')
  expect((await building.inject({ url: '/' })).statusCode).toBe(503)
  expect(await counted()).toBe('1')
})
