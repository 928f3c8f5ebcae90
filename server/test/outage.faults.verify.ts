// While the database is not available, every route of every surface returns 503 with Retry-After, or an answer that
// needs no database, and never 500. Afterwards every route is answered again.
import type { LightMyRequestResponse as Response } from 'fastify'
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { builtPages } from '../pages/pages.ts'
import { afterFile } from './after-file.ts'
import { buildTestService } from './build-app.ts'
import { type Prepared, prepareRequests } from './outage/requests.ts'
import { startServer } from './outage/server.ts'

const pages = builtPages()
const server = await startServer()
// Registered before the service, so that the service is closed first.
afterFile(() => server.close())
// Many requests are sent at the same time, and each must end soon.
const service = await buildTestService(
  {
    ...{ requestDeadlineSeconds: 2, searchSecondsMax: 2, connectionWaitSeconds: 1 },
    ...{ connectionWaitingMax: 10_000, exportsAtOnce: 100, exportsPerOrganization: 100 },
    dataDir: server.dataDir,
  },
  pages,
  server,
)
const { states } = server
let requests: Prepared[] = []

beforeAll(async () => {
  requests = await prepareRequests(service, pages)
  // The next use of these sessions extends them, which is a write.
  await service.ctx.db.run(sql`update sessions set expires_at = expires_at - interval '1 day'`)
})

const MANY = 150
const FEW = 10

/** @returns the response, without waiting for the end of a stream */
async function ask({ options }: Prepared): Promise<Response> {
  const response = await service.inject({ ...options, payloadAsStream: true })
  response.stream().destroy()
  return response
}

async function askAll(chosen: readonly Prepared[], concurrency = MANY): Promise<[Prepared, Response][]> {
  const answered: [Prepared, Response][] = []
  for (let at = 0; at < chosen.length; at += concurrency) {
    const group = chosen.slice(at, at + concurrency)
    const responses = await Promise.all(group.map(ask))
    answered.push(...group.map((one, nr) => [one, responses[nr] as Response] as [Prepared, Response]))
  }
  return answered
}

/** Answers that are faults in any state of the database. */
const faultsOf = (answered: readonly [Prepared, Response][]) =>
  answered.flatMap(([{ name }, { statusCode, headers }]) => {
    if (statusCode < 500) return []
    if (statusCode !== 503) return [`${statusCode} ${name}`]
    return headers['retry-after'] === undefined ? [`no Retry-After ${name}`] : []
  })

/** Routes that may be answered from data that was read shortly before: the key, and the readiness of the service. */
const KNOWN = [
  ...['webhooks/catalogue', 'reports/ready', 'workflow-templates'].map((path) => `GET /api/v1/${path}`),
  'GET /readyz',
]

/** Answers other than 503 from routes that need the database, and 503 from routes that do not. */
const surprisesOf = (answered: readonly [Prepared, Response][]) =>
  answered
    .filter(([{ name }]) => !KNOWN.includes(name))
    .filter(([{ isFree }, { statusCode }]) => (statusCode === 503) === isFree)
    .map(([{ name }, { statusCode }]) => `${statusCode} ${name}`)

const readiness = async () => {
  const answered = await askAll(requests.filter(({ options }) => options.url === '/readyz'))
  return answered.map(([, { statusCode }]) => statusCode)
}

const comesBack = () => expect.poll(readiness).toEqual([200])

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

const isRead = ({ options: { method = 'GET' } }: Prepared) => method === 'GET'

/** Refused reads, except of routes that create a link. Sends a few at a time, so that none waits for others. */
async function refusedReads(): Promise<string[]> {
  const answered = await askAll(requests.filter(isRead), FEW)
  const refused = answered.filter(([, { statusCode }]) => statusCode === 503).map(([{ name }]) => name)
  return refused.filter((name) => !/GET \/(?:api\/v1|dashboard\/.*)\/webhooks$/.test(name))
}

test('with a read-only database, reads are still answered', async () => {
  await states['read-only'].begin()
  try {
    expect(faultsOf(await askAll(requests))).toEqual([])
    // On a busy machine some reads may time out.
    await expect.poll(refusedReads, { timeout: 100_000 }).toEqual(['GET /readyz'])
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
      const answered = await askAll(requests)
      expect(faultsOf(answered)).toEqual([])
      expect(surprisesOf(answered)).toEqual([])
      expect(await readiness()).toEqual([503])
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
  while (!isOver) faults.push(...faultsOf(await askAll(requests)))
  await over
  expect(faults).toEqual([])
  await comesBack()
})

test('afterwards every route is answered again', async () => {
  expect(faultsOf(await askAll(requests))).toEqual([])
  await expect.poll(refusedReads, { timeout: 100_000 }).toEqual([])
})
