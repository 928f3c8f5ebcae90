// Every route of every surface while the database is away: 503 with Retry-After, or an answer that needs no database,
// and never a 500. Afterwards each is answered again.
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
// Before the service, which is closed first then.
afterFile(() => server.close())
// Many requests are sent at the same time, and each is to be given up soon.
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
  // Sessions that live longer when they are used: that is a change.
  await service.ctx.db.run(sql`update sessions set expires_at = expires_at - interval '1 day'`)
})

const MANY = 150
const FEW = 10

/** @returns the status; of a stream that was opened 200 */
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

/** What must not be in any state of the database. */
const faultsOf = (answered: readonly [Prepared, Response][]) =>
  answered.flatMap(([{ name }, { statusCode, headers }]) => {
    if (statusCode < 500) return []
    if (statusCode !== 503) return [`${statusCode} ${name}`]
    return headers['retry-after'] === undefined ? [`no Retry-After ${name}`] : []
  })

/** What was read a moment ago may be known still: a key, and that the service is ready. */
const KNOWN = [
  ...['webhooks/catalogue', 'reports/ready', 'workflow-templates'].map((path) => `GET /api/v1/${path}`),
  'GET /readyz',
]

/** Answers other than 503 of what cannot be answered without the database, and 503 of what can. */
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

test('there are requests for all surfaces', () => {
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

/** Those that are refused, but those that make a link; a few at a time, so that none waits for others. */
async function refusedReads(): Promise<string[]> {
  const answered = await askAll(requests.filter(isRead), FEW)
  const refused = answered.filter(([, { statusCode }]) => statusCode === 503).map(([{ name }]) => name)
  return refused.filter((name) => !/GET \/(?:api\/v1|dashboard\/.*)\/webhooks$/.test(name))
}

test('with a database that is read-only, reads go on', async () => {
  await states['read-only'].begin()
  try {
    expect(faultsOf(await askAll(requests))).toEqual([])
    // A machine that is busy may be late for some of them.
    await expect.poll(refusedReads, { timeout: 100_000 }).toEqual(['GET /readyz'])
  } finally {
    await states['read-only'].end()
  }
  await comesBack()
})

test.each(['out of connections', 'stopped', 'frozen'] as const)(
  'with a database that is %s',
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

test('with a database that is restarted meanwhile', async () => {
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
