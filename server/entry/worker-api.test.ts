import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { buildWorkerApi } from './worker-api.ts'

const { ctx } = await buildTestService({ trustProxy: 1 })
const usage = { total: 3, idle: 2, waiting: 0 }
const state = { isWorking: false }
const app = buildWorkerApi(
  { ...ctx, readiness: async () => ({ isReady: true, conditions: [] }) },
  { usage } as Parameters<typeof buildWorkerApi>[1],
  state,
)

const get = (url: string, options: Omit<InjectOptions, 'url'> = {}) => app.inject({ url, ...options })

test('a worker is healthy from its start, and ready when its work has begun', async () => {
  expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await get('/readyz')).statusCode).toBe(503)
  expect((await get('/readyz')).json().message).toBe('Not ready: Background work has not begun yet')
  state.isWorking = true
  expect((await get('/readyz')).json()).toEqual({ status: 'ready' })
})

test('returns the metrics of the process to operators only', async () => {
  const { body, statusCode } = await get('/metrics')
  expect(statusCode).toBe(200)
  expect(body).toContain('rapport_database_connections{state="idle"} 2')
  expect(body).toContain('# TYPE rapport_workflow_steps_total counter')
  expect(body).toContain('# TYPE rapport_backup_age_seconds gauge')
  const remoteAddress = '192.0.2.1'
  expect((await get('/metrics', { remoteAddress })).statusCode).toBe(401)
  const headers = { 'x-forwarded-for': '127.0.0.1' }
  expect((await get('/metrics', { remoteAddress, headers })).statusCode).toBe(401)
})

test('returns not_found for all other addresses', async () => {
  const { statusCode, body } = await get('/api/v1/objects')
  expect(statusCode).toBe(404)
  expect(JSON.parse(body)).toMatchObject({
    error: 'not_found',
    message: 'No such address: use one of /healthz, /readyz and /metrics',
  })
})
