// Several processes on one port, over HTTP: one of them is killed while clients write.

import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { isRunning, until } from '../../db/embedded/fixture-process.ts'
import { addressOf, type ServiceProcess, startService } from '../../entry/service-process.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import { testDatabaseUrl } from '../../test/database.ts'
import { signalProcess } from '../../test/signal.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'

const { ctx, org: makeOrg } = await buildTestService()
const { name } = await ctx.db.one<{ name: string }>(sql`select current_database() as name`)

const start = async (env: Record<string, string> = {}) =>
  startService({
    DATABASE_URL: testDatabaseUrl(name),
    DATA_DIR: await temporaryFolder(),
    RATE_LIMIT_PER_MINUTE: '1000000',
    PORT: '0',
    API_PROCESSES: '2',
    ...env,
  })

/** Process ids of the children by name, from their command lines. */
async function childrenOf({ child }: ServiceProcess): Promise<Map<string, number>> {
  const pids = (await readdir('/proc')).filter((one) => /^\d+$/.test(one))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      if (!status.includes(`\nPPid:\t${child.pid}\n`)) return []
      const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
      const named = words[words.indexOf('--process') + 1]
      return words.includes('--process') && named ? [[named, Number(pid)] as const] : []
    }),
  )
  return new Map(found.flat())
}

/** The metrics of all processes, on a new connection: a kept connection would break when its process is killed. */
const metricsOf = async (address: string) =>
  (await fetch(`${address}/metrics`, { headers: { connection: 'close' } })).text()

const untilThree = (address: string) =>
  until(async () => (await metricsOf(address)).includes('\nrapport_processes 3\n'))

/** Writes one record after the other, each on a new connection, until `signal` aborts. */
async function write(address: string, key: string, client: string, signal: AbortSignal): Promise<string[]> {
  const acknowledged: string[] = []
  for (let number = 0; !signal.aborted; number++) {
    const record = `${client} ${number}`
    const response = await fetch(`${address}/api/v1/objects/companies/records`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ data: { name: record } }),
    }).catch(() => undefined)
    if (response?.status === 201) acknowledged.push(record)
    await response?.text().catch(() => undefined)
  }
  return acknowledged
}

test('a killed process loses no acknowledged write, the others answer, and it is replaced', async () => {
  const { key, org } = await makeOrg()
  const service = await start()
  const address = await addressOf(service)
  await untilThree(address)
  const children = await childrenOf(service)
  expect([...children.keys()].sort()).toEqual(['api-1', 'api-2', 'worker'])

  const stopping = new AbortController()
  const clients = ['a', 'b', 'c', 'd'].map((client) => write(address, key, client, stopping.signal))
  const written = async () =>
    ctx.db.value<number>(sql`select count(*)::int as written from records where org = ${org}`)
  await until(async () => (await written()) > 20)
  for (const child of ['api-1', 'worker']) signalProcess(children.get(child), 'SIGKILL')
  const before = await written()
  await until(async () => (await written()) > before + 20)
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(200)
  await untilThree(address)
  stopping.abort()

  const acknowledged = (await Promise.all(clients)).flat()
  const stored = await ctx.db.many<{ name: string }>(
    sql`select data ->> 'name' as name from records where org = ${org}`,
  )
  const names = new Set(stored.map(({ name }) => name))
  expect(acknowledged.length).toBeGreaterThan(40)
  expect(acknowledged.filter((one) => !names.has(one))).toEqual([])
  expect(service.errors()).toMatch(/"process":"main","ended":"api-1".*is replaced/)

  const now = await childrenOf(service)
  expect(now.get('api-1')).not.toBe(children.get('api-1'))
  expect(now.get('api-2')).toBe(children.get('api-2'))
  service.child.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(await childrenOf(service)).toEqual(new Map())
})

/** The number of requests that all processes together have answered with 401. */
const refusals = async (address: string) => {
  const [, count] =
    /_count\{method="GET",route="\/api\/v1\/objects",status="401"\} (\d+)/.exec(await metricsOf(address)) ??
    []
  return Number(count ?? 0)
}

test('a process that hangs is killed and replaced, and counters never fall', async () => {
  const service = await start({ ACCESS_LOG: 'on' })
  const address = await addressOf(service)
  await untilThree(address)
  const send = () => fetch(`${address}/api/v1/objects`, { headers: { connection: 'close' } })
  for (let sent = 0; sent < 40; sent++) expect((await send()).status).toBe(401)
  await until(async () => (await refusals(address)) === 40)
  const children = await childrenOf(service)
  signalProcess(children.get('api-1'), 'SIGSTOP')
  const seen: number[] = []
  await until(async () => {
    seen.push(await refusals(address))
    return service.errors().includes('"ended":"api-1"')
  })
  await untilThree(address)
  seen.push(await refusals(address))
  expect(Math.min(...seen)).toBe(40)
  expect(await metricsOf(address)).toContain(
    'rapport_process_replacements_total{process="api-1",reason="hung"} 1',
  )
  expect(service.errors()).toMatch(/"hung":"api-1","pid":\d+,"silentSeconds":30.*is killed/)
  const lines = service
    .errors()
    .split('\n')
    .filter((line) => line.includes('"route":"/api/v1/objects"'))
    .map((line) => JSON.parse(line))
  expect(lines).toHaveLength(40)
  expect(lines[0]).toMatchObject({ msg: 'access', status: 401, address: '127.0.0.1', method: 'GET' })
})

test('the rate of a key is counted over all processes', async () => {
  const { key } = await makeOrg()
  const service = await start({ RATE_LIMIT_PER_MINUTE: '30' })
  const address = await addressOf(service)
  await untilThree(address)
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const headers = { authorization: `Bearer ${key}`, connection: 'close' }
      return (await fetch(`${address}/api/v1/objects`, { headers })).status
    }),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30)
})

test('with the embedded database, all processes end with the first one, also when it is killed', async () => {
  const service = await start({ DATABASE_URL: '', RAPPORT_DEMO: 'off' })
  const address = await addressOf(service)
  await untilThree(address)
  const children = await childrenOf(service)
  service.child.kill('SIGKILL')
  await service.exited
  await until(async () => (await Promise.all([...children.values()].map(isRunning))).every((one) => !one))
})

test('an error at the start of one process is printed and ends all processes', async () => {
  const other = createServer()
  await once(other.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  const service = await start({ PORT: String(port) })
  expect(await service.exited).toBe(1)
  expect(service.errors().trim().split('\n')).toEqual([
    `rapport: 127.0.0.1:${port} is in use: stop the program that listens there, or set PORT to another port`,
    'rapport: The process api-1 could not start (exit code 1)',
  ])
})
