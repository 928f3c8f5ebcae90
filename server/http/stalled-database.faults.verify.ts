// Lists whose time limit passes while the database server is stalled: they are not reported as too expensive.
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Db } from '../db/pool.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'
import { signalServer, startPrimary } from '../test/standby.ts'

const server = await startPrimary()
const { pool, connection } = server
const service = await buildTestService({ searchSecondsMax: 2 }, undefined, { pool, connection })
const org = await service.org()
const STALL_MS = 3000

beforeAll(async () => {
  expect((await org.post('/objects/companies/records', { data: { name: 'Acme' } })).status).toBe(201)
  // Opens the connections for cancellations and probes, as in a service that has run for a while.
  expect((await org.get('/objects/companies/records')).status).toBe(200)
})

/** Stops the server for STALL_MS at the start of the organization's next read with a time limit. */
function stallOnce(): { ended: Promise<void> } {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const { shares } = service.ctx
  const { of } = shares
  vi.spyOn(shares, 'of').mockImplementation((...asked) => {
    const db = of.apply(shares, asked)
    if (asked[0] !== org.org) return db
    const stalled = (inner: Db): Db => ({
      ...inner,
      within: async (ms, work) => {
        vi.restoreAllMocks()
        await signalServer(server, 'SIGSTOP')
        void delay(STALL_MS)
          .then(() => signalServer(server, 'SIGCONT'))
          .then(resolve)
        return inner.within(ms, work)
      },
    })
    return { ...stalled(db), inScope: (scope) => stalled(db.inScope(scope)) }
  })
  return { ended }
}

const lists = [
  ['a list', () => org.get('/objects/companies/records?limit=1&filter[name][contains]=cm')],
  ['a first page', () => org.get('/objects/companies/records?limit=1')],
] as const

test.each(lists)(
  '%s during a stall of the server succeeds late, or gets 503 and Retry-After',
  async (_, ask) => {
    const { ended } = stallOnce()
    const reply = await ask()
    await ended
    if (reply.status === 200) return
    expectError(reply, 'unavailable')
    expect(reply.headers['retry-after']).toBeDefined()
  },
  20_000,
)
