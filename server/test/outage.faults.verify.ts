// While the database is not available, every route of every surface returns 503 with Retry-After, or an answer that
// needs no database, and never 500. Afterwards every route is answered again.
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { builtPages } from '../pages/pages.ts'
import { afterFile } from './after-file.ts'
import { buildTestService } from './build-app.ts'
import {
  askAll,
  faultsOf,
  OUTAGE_SETTINGS,
  readinessOf,
  refusedReads,
  surprisesOf,
} from './outage/answers.ts'
import { type Prepared, prepareRequests } from './outage/requests.ts'
import { startServer } from './outage/server.ts'

const pages = builtPages()
const server = await startServer()
// Registered before the service, so that the service is closed first.
afterFile(() => server.close())
const service = await buildTestService({ ...OUTAGE_SETTINGS, dataDir: server.dataDir }, pages, server)
const { states } = server
let requests: Prepared[] = []

beforeAll(async () => {
  requests = await prepareRequests(service, pages)
  // The next use of these sessions extends them, which is a write.
  await service.ctx.db.run(sql`update sessions set expires_at = expires_at - interval '1 day'`)
})

const ask = () => askAll(service, requests)
const comesBack = () => expect.poll(() => readinessOf(service, requests)).toEqual([200])

test('the requests cover all surfaces', () => {
  const names = requests.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'GET /api/v1/objects/:objectId/records',
      'GET /dashboard/api/organizations/:organization/home',
      'GET /dashboard/api/organizations/:organization/events/stream',
      'POST /dashboard/api/sign-in',
      'GET /portal/api/webhooks/endpoints',
      'PUT /files/upload',
      'GET /sign-in',
    ]),
  )
})

test('with a read-only database, reads are still answered', async () => {
  await states['read-only'].begin()
  try {
    expect(faultsOf(await ask())).toEqual([])
    // On a busy machine some reads may time out.
    await expect.poll(() => refusedReads(service, requests), { timeout: 100_000 }).toEqual(['GET /readyz'])
  } finally {
    await states['read-only'].end()
  }
  await comesBack()
})

test.each(['out of connections', 'stopped', 'frozen'] as const)(
  'with a database that is %s, only routes that need no database are answered',
  async (state) => {
    await states[state].begin()
    try {
      const answered = await ask()
      expect(faultsOf(answered)).toEqual([])
      expect(surprisesOf(answered)).toEqual([])
      expect(await readinessOf(service, requests)).toEqual([503])
    } finally {
      await states[state].end()
    }
    await comesBack()
  },
  180_000,
)

test('during a restart of the database no route answers 500', async () => {
  const restarting = server.restart()
  let isOver = false
  const over = restarting.finally(() => {
    isOver = true
  })
  const faults: string[] = []
  while (!isOver) faults.push(...faultsOf(await ask()))
  await over
  expect(faults).toEqual([])
  await comesBack()
})

test('afterwards every route is answered again', async () => {
  expect(faultsOf(await ask())).toEqual([])
  await expect.poll(() => refusedReads(service, requests), { timeout: 100_000 }).toEqual([])
})
