// How the service stops, and how it continues after its database has ended.

import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sql, { type Sql } from 'sql-template-tag'
import { Pool } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isRunning, until } from '../db/embedded/fixture-process.ts'
import { checked, get, mapping, post } from '../imports/imports.fixture.ts'
import { startJobs } from '../jobs/jobs.ts'
import { openStream } from '../live/open-stream.fixture.ts'
import { workOnJob } from '../record-jobs/jobs.ts'
import { makeReport } from '../reports/reports.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { createTestDatabase, testDatabaseUrl } from '../test/database.ts'
import { postmasterOf, signalProcess } from '../test/signal.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { addressOf, embeddedEnv, startService } from './service-process.fixture.ts'

const database = await createTestDatabase()
const service = await buildTestService({}, undefined, database)
const { ctx, org: makeOrg } = service

async function descendants(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.join(' ').split(' ').map(Number).filter(Boolean)
  return [...children, ...(await Promise.all(children.map(descendants))).flat()]
}

const CLIENTS = 8

const killAfterTest = (pids: readonly number[]) =>
  onTestFinished(() => {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // The process has ended, as expected.
      }
    }
  })

/** @returns a function that releases the lock; the end of the test releases it too */
async function lockTable(table: Sql): Promise<() => Promise<void>> {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const lock = ctx.db.transaction(async (tx) => {
    await tx.run(sql`lock table ${table} in access exclusive mode`)
    locked()
    await isOver
  })
  await isLocked
  const release = () => {
    end()
    return lock
  }
  onTestFinished(release)
  return release
}

const waitingForRecords = async () =>
  (await ctx.db.many(sql`select from pg_locks where relation = 'records'::regclass and not granted`)).length

/** Locks a table that the start of jobs needs. Starts jobs once before, because that creates the table. */
async function lockSchedules(): Promise<() => Promise<void>> {
  const jobs = await startJobs(ctx, database.pool, { scheduled: [], queued: [] })
  await jobs.stop()
  return lockTable(sql`pgboss.schedule`)
}

const AS_PROCESS_1 = ['unshare', '--pid', '--fork', '--mount-proc', '--']

async function mayBeProcess1(): Promise<boolean> {
  return (await startService({}, [...AS_PROCESS_1, 'true']).exited.catch(() => 1)) === 0
}

describe('SIGTERM', () => {
  test('to npm start ends npm, the service and PostgreSQL, with exit code 0', async () => {
    const env = await embeddedEnv()
    const npm = startService(env, ['npm', 'start'])
    await addressOf(npm)
    const pids = [...(await descendants(npm.child.pid ?? 0)), await postmasterOf(env.DATA_DIR)]
    killAfterTest(pids)
    expect(pids.length).toBeGreaterThan(2)
    npm.child.kill('SIGTERM')
    expect(await npm.exited).toBe(0)
    await until(async () => !(await Promise.all(pids.map(isRunning))).includes(true))
  })

  test('to the service as process 1 of a container ends it and PostgreSQL', async ({ skip }) => {
    if (!(await mayBeProcess1())) skip()
    const env = await embeddedEnv()
    const outside = startService(env, [...AS_PROCESS_1, 'node', 'server/main.ts'])
    await addressOf(outside)
    const pids = await descendants(outside.child.pid ?? 0)
    killAfterTest(pids)
    const [service = 0] = pids
    process.kill(service, 'SIGTERM')
    expect(await outside.exited).toBe(0)
    await until(async () => !(await Promise.all(pids.map(isRunning))).includes(true))
  })

  test('while PostgreSQL is starting ends both', async () => {
    const env = await embeddedEnv()
    const service = startService(env)
    await until(async () => (await readdir(env.DATA_DIR)).includes('postgres'))
    service.child.kill('SIGTERM')
    expect(await service.exited).toBe(0)
    expect(service.output()).toBe('')
  })
})

describe('SIGTERM ends a service with a request that never completes, with exit code 0', () => {
  test.each([
    ['when all of it has started', async () => async () => undefined],
    ['while its background work is still starting', lockSchedules],
  ])('%s', async (_, prepare) => {
    const { db } = ctx
    const { key } = await makeOrg()
    const { name } = await db.one<{ name: string }>(sql`select current_database() as name`)
    const env = { DATABASE_URL: testDatabaseUrl(name), DATA_DIR: await temporaryFolder(), PORT: '0' }
    const finish = await prepare()
    const service = startService({ ...env, RAPPORT_DEMO: 'off' })
    const address = await addressOf(service)
    const release = await lockTable(sql`records`)
    const answer = fetch(`${address}/api/v1/objects/companies/records`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"data":{"name":"Acme"}}',
    })
    await until(async () => (await waitingForRecords()) > 0)
    service.child.kill('SIGTERM')
    expect((await answer).status).toBe(503)
    expect(await service.exited).toBe(0)
    await until(async () => (await waitingForRecords()) === 0)
    await release()
    await finish()
    expect(await db.many(sql`select from records`)).toEqual([])
  })
})

test('SIGTERM during a report and an import ends with exit code 0; another process continues the import', async () => {
  const { db } = ctx
  const org = await makeOrg()
  const ada = await org.member('owner')
  const report = await makeReport(org, { source: { objectId: 'people', alias: 'person' } })
  const file = await checked(service, ada, { text: 'Name\nAda\nMia\n', mapping: mapping('name') })
  const { name } = await db.one<{ name: string }>(sql`select current_database() as name`)
  const env = { DATABASE_URL: testDatabaseUrl(name), DATA_DIR: await temporaryFolder(), PORT: '0' }
  const started = startService({ ...env, RAPPORT_DEMO: 'off' })
  const address = await addressOf(started)
  const release = await lockTable(sql`records`)
  await post(ada, file, 'run')
  await until(async () => (await waitingForRecords()) === 1)
  const answer = fetch(`${address}/api/v1/reports/${report.id}/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.key}` },
  })
  await until(async () => (await waitingForRecords()) === 2)
  started.child.kill('SIGTERM')
  await answer
  expect(await started.exited).toBe(0)
  expect(started.errors()).not.toContain('[object Object]')
  await release()
  await workOnJob(ctx, { org: org.org, id: file.id }, new AbortController().signal)
  expect(await get(ada, file)).toMatchObject({ state: 'completed', progress: { created: 2, failed: 0 } })
})

/** Sends requests on a kept connection until the service reports that it is not ready, as a load balancer does. */
async function askUntilNotReady(pool: Pool, onAnswer: (status: number) => void): Promise<void> {
  for (;;) {
    const { statusCode, headers, body } = await pool.request({ method: 'GET', path: '/healthz' })
    await body.dump()
    onAnswer(statusCode)
    if (headers['connection'] !== 'close') continue
    const ready = await pool.request({ method: 'GET', path: '/readyz' })
    await ready.body.dump()
    if (ready.statusCode === 503) return
  }
}

test.for([
  ['one process', '1', '\nrapport_'],
  ['several processes', '2', '\nrapport_processes 3\n'],
] as const)(
  'SIGTERM to %s resets no connection of clients that send requests continuously',
  async ([, API_PROCESSES, measured]) => {
    const { name } = await ctx.db.one<{ name: string }>(sql`select current_database() as name`)
    const env = { DATABASE_URL: testDatabaseUrl(name), DATA_DIR: await temporaryFolder(), PORT: '0' }
    // Long enough for all clients to send one more request.
    const service = startService({ ...env, RAPPORT_DEMO: 'off', API_PROCESSES, DRAIN_SECONDS: '5' })
    const address = await addressOf(service)
    // Waits until all processes have started.
    await expect.poll(async () => (await fetch(`${address}/metrics`)).text()).toContain(measured)
    const pool = new Pool(address, { connections: CLIENTS })
    onTestFinished(() => pool.destroy())
    const statuses: number[] = []
    const clients = Array.from({ length: CLIENTS }, () =>
      askUntilNotReady(pool, (status) => void statuses.push(status)),
    )
    await expect.poll(() => statuses.length).toBeGreaterThan(100)
    service.child.kill('SIGTERM')
    await Promise.all(clients)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await service.exited).toBe(0)
    // No process failed because the channel to the first process was closed.
    expect(service.errors()).not.toMatch(/EPIPE|ERR_IPC/)
  },
)

test('DRAIN_SECONDS: new connections are accepted for that time, and /readyz returns 503', async () => {
  const { name } = await ctx.db.one<{ name: string }>(sql`select current_database() as name`)
  const env = { DATABASE_URL: testDatabaseUrl(name), DATA_DIR: await temporaryFolder(), PORT: '0' }
  const service = startService({ ...env, RAPPORT_DEMO: 'off', DRAIN_SECONDS: '3' })
  const address = await addressOf(service)
  const stoppedAt = performance.now()
  service.child.kill('SIGTERM')
  const isReady = async () => (await fetch(`${address}/readyz`)).status
  await expect.poll(isReady).toBe(503)
  // No connection is open during this time.
  await delay(1500)
  expect(await isReady()).toBe(503)
  expect((await fetch(`${address}/healthz`)).headers.get('connection')).toBe('close')
  expect(await service.exited).toBe(0)
  expect(performance.now() - stoppedAt).toBeGreaterThan(3000)
})

test('SIGTERM ends the open streams of live updates and waits for none of them', async () => {
  const { db } = ctx
  const org = await makeOrg()
  const { cookie } = await org.member('member')
  const { name } = await db.one<{ name: string }>(sql`select current_database() as name`)
  const env = { DATABASE_URL: testDatabaseUrl(name), DATA_DIR: await temporaryFolder(), PORT: '0' }
  const service = startService({ ...env, AUTH_SECRET: ctx.config.authSecret ?? '', RAPPORT_DEMO: 'off' })
  const address = await addressOf(service)
  const url = `${address}/dashboard/api/organizations/org-${org.id}/events/stream`
  const streams = await Promise.all([1, 2, 3].map(() => openStream(url, { cookie })))
  service.child.kill('SIGTERM')
  for (const { ended, messages } of streams) {
    // It would reject if the connection was cut.
    await ended
    expect(messages).toEqual([{ id: undefined, event: 'end', data: { reason: 'closing' } }])
  }
  expect(await service.exited).toBe(0)
})

test('when PostgreSQL dies, the service restarts it and returns 503 in between', async () => {
  const env = await embeddedEnv()
  const service = startService(env)
  const address = await addressOf(service)
  const isReady = async () => {
    const response = await fetch(`${address}/readyz`)
    await response.text()
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  }
  const [there, away] = [join(env.DATA_DIR, 'postgres/global'), join(env.DATA_DIR, 'postgres/away')]
  // Without this folder PostgreSQL cannot start.
  await rename(there, away)
  signalProcess(await postmasterOf(env.DATA_DIR), 'SIGKILL')
  let answer = await isReady()
  while (answer.status === 200) answer = await isReady()
  expect(answer).toEqual({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  await rename(away, there)
  while (answer.status !== 200) {
    await delay(20)
    answer = await isReady()
  }
  service.child.kill('SIGTERM')
  expect(await service.exited).toBe(0)
})

test('when PostgreSQL cannot be restarted, the service prints the reason and ends with exit code 1', async () => {
  const env = await embeddedEnv()
  const service = startService(env)
  await addressOf(service)
  await rename(join(env.DATA_DIR, 'postgres/global'), join(env.DATA_DIR, 'postgres/away'))
  signalProcess(await postmasterOf(env.DATA_DIR), 'SIGKILL')
  expect(await service.exited).toBe(1)
  expect(service.errors()).toMatch(/PostgreSQL ended \(5 times within a minute, the last time: /)
})
