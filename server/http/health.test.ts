import { Writable } from 'node:stream'
import Fastify, { LogController } from 'fastify'
import pino from 'pino'
import { expect, test } from 'vitest'
import { healthRoutes, type NamedCondition } from './health.ts'
import type { App } from './request.ts'

interface Found {
  isReady: boolean
  conditions: NamedCondition[]
}

const WELL: Found = { isReady: true, conditions: [] }
const condition = (check: string, status: NamedCondition['status']): NamedCondition => ({
  ...{ check, status, detail: `${check} is not well` },
})
const AWAY: Found = { isReady: false, conditions: [condition('database', 'fail')] }
const SKEWED: Found = { isReady: true, conditions: [condition('clock', 'warn')] }

/** Sends one probe for each entry of `found`. @returns the status codes and the log lines */
async function probe(found: readonly Found[]) {
  const lines: { msg: string; conditions?: NamedCondition[]; err?: unknown }[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const logController = new LogController({ disableRequestLogging: true })
  const app = Fastify({ loggerInstance: pino(stream), logController }) as unknown as App
  let next = 0
  healthRoutes(app, async () => found[next++] ?? WELL)
  const codes: number[] = []
  for (const _ of found) codes.push((await app.inject({ url: '/readyz' })).statusCode)
  await app.close()
  return { codes, lines }
}

test('the log has one line for each change, not for each probe', async () => {
  const { codes, lines } = await probe([WELL, AWAY, AWAY, AWAY, WELL, WELL, SKEWED, SKEWED, WELL])
  expect(codes).toEqual([200, 503, 503, 503, 200, 200, 200, 200, 200])
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the service is not ready',
    'the service is ready again',
    'the service is ready, with conditions',
    'the service is ready again',
  ])
  expect(lines[0]?.conditions).toEqual(AWAY.conditions)
  expect(lines.filter(({ err }) => err !== undefined)).toEqual([])
})

test('a refusal has the documented shape', async () => {
  const app = Fastify() as unknown as App
  healthRoutes(app, async () => AWAY)
  const response = await app.inject({ url: '/readyz' })
  expect(response.headers['retry-after']).toBe('2')
  expect(response.json()).toEqual({
    error: 'unavailable',
    message: 'Not ready: database is not well',
    details: { conditions: AWAY.conditions },
    requestId: expect.any(String),
  })
  await app.close()
})
