// Processes that start while their external database is away.
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { createEmptyDatabase, createTestDatabase, testDatabaseUrl } from '../test/database.ts'
import { startFaultProxy } from '../test/faults/proxy.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { type ServiceProcess, startService } from './service-process.fixture.ts'

const database = await createTestDatabase()
const { ctx, org: makeOrg } = await buildTestService({}, undefined, database)
const empty = await createEmptyDatabase()

/** Starts a service with a database that refuses connections until `proxy.accept`. */
async function startWithout({ connection } = empty, env: Record<string, string> = {}) {
  const proxy = await startFaultProxy(connection)
  onTestFinished(() => proxy.close())
  proxy.refuse()
  const url = new URL(testDatabaseUrl(connection.database))
  url.searchParams.set('host', '127.0.0.1')
  url.port = String(proxy.port)
  const service = startService({
    ...{ DATABASE_URL: url.href, DATA_DIR: await temporaryFolder(), PORT: '0', RAPPORT_DEMO: 'off' },
    ...env,
  })
  return { proxy, service, place: `127.0.0.1:${proxy.port}`, password: url.password }
}

const linesOf = ({ errors }: ServiceProcess) =>
  errors()
    .trim()
    .split('\n')
    .filter((line) => line.includes('the start waits for the database'))
    .map((line) => JSON.parse(line) as { address: string; msg: string })

/** The address of a service that waits, from its log. */
async function waitingAddressOf(service: ServiceProcess): Promise<string> {
  await expect.poll(() => linesOf(service)).toHaveLength(1)
  return linesOf(service)[0]?.address ?? ''
}

async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { ...init, headers: { connection: 'close', ...init.headers } })
  const { requestId: _, ...body } = (await response.json()) as { requestId?: string }
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
}

const statusOf = async (url: string) => (await ask(url)).status

/** One request of each kind and surface. */
const askAll = (address: string, { id, key, cookie }: { id: string; key: string; cookie: string }) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return Promise.all([
    ask(`${address}/api/v1/objects`, { headers }),
    ask(`${address}/api/v1/objects/companies/records`, {
      ...{ method: 'POST', headers, body: '{"data":{"name":"Acme"}}' },
    }),
    ask(`${address}/dashboard/api/organizations/org-${id}/objects`, { headers: { cookie } }),
  ])
}

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status)

test('a start waits for the database, answers as when it goes away later, and then serves', async () => {
  const org = await makeOrg()
  const client = { id: org.id, key: org.key, ...(await org.member('member')) }
  const AUTH_SECRET = ctx.config.authSecret ?? ''
  const { proxy, service, place, password } = await startWithout(database, { AUTH_SECRET })
  const address = await waitingAddressOf(service)
  expect(linesOf(service)[0]?.msg).toContain(
    `the start waits for the database: The database at ${place} (DATABASE_URL) cannot be used: `,
  )
  expect(service.errors()).not.toContain(password)
  expect(await ask(`${address}/healthz`)).toMatchObject({ status: 200 })
  expect(await ask(`${address}/readyz`)).toMatchObject({ status: 503, retryAfter: '2' })
  const waiting = await askAll(address, client)
  expect(statuses(waiting)).toEqual([503, 503, 503])

  proxy.accept()
  await expect.poll(() => statusOf(`${address}/readyz`)).toBe(200)
  proxy.refuse()
  expect(await askAll(address, client)).toEqual(waiting)
  proxy.accept()
  await expect.poll(async () => statuses(await askAll(address, client))).toEqual([200, 201, 200])
  service.child.kill('SIGTERM')
  expect(await service.exited).toBe(0)
})

test.for([
  ['several processes', { API_PROCESSES: '2' }],
  ['a worker', { ROLE: 'worker' }],
] as [string, Record<string, string>][])('%s: migrates when the database responds', async ([, env]) => {
  await empty.pool.run(sql`drop schema public cascade`)
  await empty.pool.run(sql`create schema public`)
  const { proxy, service } = await startWithout(empty, env)
  const address = await waitingAddressOf(service)
  expect(await statusOf(`${address}/healthz`)).toBe(200)
  expect(await statusOf(`${address}/readyz`)).toBe(503)
  expect(await statusOf(`${address}/api/v1/objects`)).toBe(503)
  proxy.accept()
  await expect.poll(() => statusOf(`${address}/readyz`).catch(() => 0)).toBe(200)
  expect(linesOf(service)).toHaveLength(1)
  service.child.kill('SIGTERM')
  expect(await service.exited).toBe(0)
})

test.each(['1', '2'])(
  'SIGTERM ends a start that waits, with exit code 0: API_PROCESSES=%s',
  async (count) => {
    const { service } = await startWithout(empty, { API_PROCESSES: count })
    await waitingAddressOf(service)
    service.child.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  },
)
