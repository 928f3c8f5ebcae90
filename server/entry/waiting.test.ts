import { expect, test } from 'vitest'
import { sharedTestService } from '../test/shared-service.ts'
import { buildWaitingApi, pauseAfter } from './waiting.ts'

const { ctx } = await sharedTestService()
const state = { error: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }
const build = () => buildWaitingApi(ctx.log, ctx.config, state)

test('while a start waits, /healthz is 200 and /readyz is 503 with the error of the connection', async () => {
  expect((await build().inject({ url: '/healthz' })).json()).toEqual({ status: 'ok' })
  const response = await build().inject({ url: '/readyz' })
  expect(response.statusCode).toBe(503)
  expect(response.headers['retry-after']).toBe('2')
  expect(response.json().details.conditions).toEqual([
    {
      ...{ check: 'database', status: 'fail' },
      detail: 'The database does not respond: try again shortly (ECONNREFUSED)',
    },
  ])
})

test.each([
  ['GET', '/api/v1/objects', undefined],
  ['POST', '/api/v1/objects/people/records', { committed: 'no' }],
  ['DELETE', '/dashboard/api/session', { committed: 'no' }],
  ['GET', '/portal/api/endpoints', undefined],
  ['GET', '/metrics', undefined],
] as const)('while a start waits, %s %s is a 503 that can be sent again', async (method, url, details) => {
  const headers = { 'content-type': 'text/xml' }
  const response = await build().inject({ method, url, headers, ...(method === 'POST' && { body: '<a/>' }) })
  expect(response.statusCode).toBe(503)
  expect(response.headers).toMatchObject({ 'retry-after': '2', connection: 'close' })
  expect(response.json()).toEqual({
    ...{ error: 'unavailable', message: 'The database does not respond: try again shortly' },
    ...(details && { details }),
    requestId: response.headers['x-request-id'],
  })
})

test('while a start waits, a browser gets a page that tries again', async () => {
  const response = await build().inject({ url: '/people', headers: { accept: 'text/html,*/*' } })
  expect(response.statusCode).toBe(503)
  expect(response.headers).toMatchObject({ 'retry-after': '2', refresh: '5' })
  expect(response.body).toContain('<h1>The database does not respond</h1>')
})

test('pauses between tries double up to 5 s, and are random by half', () => {
  expect([0, 1, 2, 3, 4, 2000].map((tries) => pauseAfter(tries, 1))).toEqual([
    500, 1000, 2000, 4000, 5000, 5000,
  ])
  expect([0, 4].map((tries) => pauseAfter(tries, 0))).toEqual([250, 2500])
})
