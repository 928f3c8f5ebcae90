// npm run cluster as a developer uses it: two addresses, a key for both, and no processes or files left at the end.
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CellStatus } from '../../cells/service.ts'
import { isAlive, processesBelow } from '../../entry/processes.fixture.ts'
import { type ServiceProcess, startService } from '../../entry/service-process.fixture.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const CLI = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url))

const startCluster = (words: readonly string[], env: Record<string, string> = {}) =>
  startService(env, [process.execPath, MAIN, ...words])

async function find({ output, errors, child }: ServiceProcess, pattern: RegExp): Promise<string> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  await vi.waitUntil(() => pattern.test(output()) || hasEnded(), { timeout: 170_000 })
  const [, found] = pattern.exec(output()) ?? []
  if (found === undefined) throw new Error(`the cluster ended: ${errors()}`)
  return found
}

test('starts cells, nodes and workers, and leaves nothing behind', async () => {
  const TMPDIR = await temporaryFolder()
  const cluster = startCluster(['--port', '0'], { TMPDIR })
  onTestFinished(() => {
    for (const pid of processesBelow(cluster.child.pid ?? 0).keys()) process.kill(pid, 'SIGKILL')
  })
  const key = await find(cluster, /API key, full access\s+(\S+)/)
  const addresses = (await find(cluster, /API nodes\s+(.*)/)).split('  ')
  expect(addresses).toHaveLength(2)
  for (const address of addresses) {
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${address}/api/v1/objects/companies/records`, { headers })).status).toBe(200)
  }

  const environment = await find(cluster, /env \$\(cat (\S+)\)/)
  const list = startService({}, [
    'sh',
    '-c',
    `env $(cat ${environment}) ${process.execPath} ${CLI} cells list --json`,
  ])
  expect(await list.exited).toBe(0)
  const cells = JSON.parse(list.output()) as CellStatus[]
  expect(cells.map(({ name }) => name)).toEqual(['one', 'two', 'three'])
  expect(cells.every(({ version }) => version !== null)).toBe(true)

  const started = [...processesBelow(cluster.child.pid ?? 0)]
  expect(started.filter(([, line]) => /node .*server\/main\.ts/.test(line))).toHaveLength(4)
  cluster.child.kill('SIGINT')
  expect(await cluster.exited).toBe(0)
  expect(started.filter(([pid]) => isAlive(pid))).toEqual([])
  expect(await readdir(TMPDIR)).toEqual([])
})

test('a process that cannot start ends the other processes too', async () => {
  const TMPDIR = await temporaryFolder()
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const cluster = startCluster(['--port', String(port), '--no-demo'], { TMPDIR })
  const below = new Set<number>()
  const looking = setInterval(() => {
    for (const [pid] of processesBelow(cluster.child.pid ?? 0)) below.add(pid)
  }, 50)
  expect(await cluster.exited).toBe(1)
  clearInterval(looking)
  expect(cluster.errors()).toContain('The process api-1 could not start')
  expect(below.size).toBeGreaterThan(0)
  expect([...below].filter(isAlive)).toEqual([])
  expect(await readdir(TMPDIR)).toEqual([])
})

test('--help prints the options, and a wrong option is refused with a message', async () => {
  const help = startCluster(['--help'])
  expect([await help.exited, help.output()]).toEqual([0, expect.stringContaining('--folder DIR')])
  const refused = startCluster(['--port', 'many'])
  expect([await refused.exited, refused.errors()]).toEqual([1, expect.stringContaining('--port must be')])
})
