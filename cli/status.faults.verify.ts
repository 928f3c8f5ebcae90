// `rapport status` and `rapport doctor` while a service runs: they use its settings, not the shell's, and show faults.

import { once } from 'node:events'
import { createServer } from 'node:net'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../server/entry/processes.fixture.ts'
import { addressOf, type ServiceProcess, startService } from '../server/entry/service-process.fixture.ts'
import type { Finding } from '../server/operations/diagnosis/finding.ts'
import type { ServiceFacts } from '../server/operations/diagnosis/report.ts'
import { createTestDatabase, testDatabaseUrl } from '../server/test/database.ts'
import { startFaultProxy } from '../server/test/faults/proxy.ts'
import { signalProcess } from '../server/test/signal.ts'
import { temporaryFolder } from '../server/test/temporary-folder.ts'
import { MAIN, type Outcome, run, runInside } from './cli.fixture.ts'

const { pool, connection } = await createTestDatabase()

const proxy = await startFaultProxy(connection)
const url = new URL(testDatabaseUrl(connection.database))
url.host = `127.0.0.1:${proxy.port}`
url.searchParams.delete('host')

interface Started {
  service: ServiceProcess
  dataDir: string
}

async function start(env: Record<string, string> = {}): Promise<Started> {
  const dataDir = await temporaryFolder()
  const service = startService({
    ...{ DATABASE_URL: url.href, DATA_DIR: dataDir, PORT: '0', RAPPORT_DEMO: 'off' },
    ...env,
  })
  if (env['ROLE'] !== 'worker') await addressOf(service)
  return { service, dataDir }
}

/** The shell has only the folder of the service, and none of its other settings. */
const rapport = (dataDir: string, ...args: string[]): Promise<Outcome> =>
  runInside(args, { DATA_DIR: dataDir, PORT: '0' })

interface Status {
  ok: boolean
  services: ServiceFacts[]
  problems: Finding[]
}

const statusOf = async (dataDir: string): Promise<Status> =>
  JSON.parse((await rapport(dataDir, 'status', '--json')).stdout)

const findingsOf = async (dataDir: string): Promise<Finding[]> =>
  JSON.parse((await rapport(dataDir, 'doctor', '--json')).stdout).findings

const about = (findings: readonly Finding[], check: string) => findings.filter((one) => one.check === check)

test('shows the settings and checks of the service', async () => {
  const { service, dataDir } = await start({
    ...{ NODE_ENV: 'production', ACCESS_LOG: 'on', EGRESS_ALLOW_PRIVATE: 'true' },
    ...{ SMTP_URL: 'smtp://user:s3cret@127.0.0.1:1', MAIL_FROM: 'rapport@example.com' },
    METRICS_TOKEN: 'hush',
  })
  const { services, problems, ok } = await statusOf(dataDir)
  expect(ok).toBe(false)
  expect(services).toMatchObject([{ pid: service.child.pid, role: 'all', processes: [] }])
  expect(services[0]?.address).toMatch(/^127\.0\.0\.1:[1-9]\d+$/)
  const settings = new Map(services[0]?.settings.map(({ name, value }) => [name, value]))
  expect(settings.get('SMTP_URL')).toBe('smtp://user:***@127.0.0.1:1')
  expect(settings.get('METRICS_TOKEN')).toBe('set')
  expect(settings.get('BACKUP_KEY')).toBe('not set')
  expect(settings.get('ACCESS_LOG')).toBe('on')
  expect(about(problems, 'mail')).toMatchObject([
    { status: 'fail', advice: expect.stringContaining('SMTP_URL') },
  ])
  expect(about(problems, 'shell')).toEqual([])
  expect(about(problems, 'configuration')).toMatchObject([{ detail: expect.stringContaining('private') }])
  const other = await run([MAIN, 'doctor'], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' })
  expect(other.stdout).toMatch(/^warn {2}shell +this shell sets LOG_LEVEL to other values/m)
  const { code, stdout } = await rapport(dataDir, 'doctor')
  expect(code).toBe(1)
  expect(stdout).toMatch(
    new RegExp(`^ok {4}service +process ${service.child.pid} \\(ROLE=all\\) has answered`, 'm'),
  )
  expect(stdout).not.toMatch(/s3cret|hush/)
})

test('the service reports a frozen database with the next step', async () => {
  const { dataDir } = await start()
  proxy.hold()
  const [frozen] = about((await statusOf(dataDir)).problems, 'database')
  proxy.release()
  expect(frozen).toMatchObject({ status: 'fail', advice: expect.stringContaining('paused or overloaded') })
  expect(about(await findingsOf(dataDir), 'database')).toMatchObject([
    { detail: expect.stringContaining('responds in') },
  ])
})

test('a service without a worker is reported', async () => {
  const { dataDir } = await start({ ROLE: 'api' })
  await pool.run(sql`update deletion_clock set followed_at = now() - interval '20 minutes'`)
  const [worker] = about((await statusOf(dataDir)).problems, 'worker')
  // It is a failure only after the process has run for two minutes: by that time, a worker that started with it works.
  expect(worker).toMatchObject({
    detail: expect.stringMatching(/1200 s|120\d s/),
    advice: expect.stringContaining('ROLE=worker'),
  })
})

test('reports a service that hangs or was killed', async () => {
  const { service, dataDir } = await start()
  service.child.kill('SIGSTOP')
  const hung = await statusOf(dataDir)
  expect(hung).toMatchObject({ ok: false, services: [] })
  expect(about(hung.problems, 'service')).toMatchObject([
    {
      status: 'fail',
      detail: expect.stringContaining(`process ${service.child.pid} of the service does not respond`),
    },
  ])
  service.child.kill('SIGKILL')
  await service.exited
  const [killed] = about((await statusOf(dataDir)).problems, 'service')
  expect(killed).toMatchObject({ status: 'warn', detail: expect.stringContaining('no service runs') })
})

test('without a service, reports a port that another program uses', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  const dataDir = await temporaryFolder()
  const { stdout } = await run([MAIN, 'doctor'], { DATA_DIR: dataDir, PORT: String(port) })
  expect(stdout).toMatch(
    new RegExp(`^fail {2}port +127\\.0\\.0\\.1:${port} is in use by another program`, 'm'),
  )
})

test('lists several processes, and reports one that hangs', async () => {
  const { dataDir } = await start({ API_PROCESSES: '2' })
  await expect
    .poll(async () => (await statusOf(dataDir)).services[0]?.processes.map(({ name }) => name), {
      timeout: 60_000,
    })
    .toEqual(['api-1', 'api-2', 'worker'])
  // A process that has not started yet is not reported as hanging.
  await expect.poll(async () => about((await statusOf(dataDir)).problems, 'processes')).toEqual([])
  const [facts] = (await statusOf(dataDir)).services
  const pid = facts?.processes.find(({ name }) => name === 'worker')?.pid ?? 0
  signalProcess(pid, 'SIGSTOP')
  // A stopped process does not notice the end of the first process.
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  await expect
    .poll(async () => about((await statusOf(dataDir)).problems, 'processes')[0]?.detail)
    .toMatch(/^worker \(process \d+\) has not responded for \d+ s$/)
})
