// The service with cells that do not respond.
import { expect, onTestFinished, test } from 'vitest'
import { createTestCells } from '../test/cells.ts'
import { testDatabaseUrl } from '../test/database.ts'
import { type FaultProxy, startFaultProxy } from '../test/faults/proxy.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { addressOf, type ServiceProcess, startService } from './service-process.fixture.ts'

const databases = await createTestCells()

const reached = (proxy: FaultProxy, address: string): string => {
  const url = new URL(address)
  url.search = ''
  url.host = `127.0.0.1:${proxy.port}`
  return url.href
}

/** The service on a directory and cells, each behind a proxy. */
async function startBehind(prepare: (proxies: FaultProxy[]) => void) {
  const proxies: FaultProxy[] = []
  for (const { connection } of databases.cells) proxies.push(await startFaultProxy(connection))
  prepare(proxies)
  const cells = databases.addresses.map(
    ({ name, databaseUrl }, n) => `${name}=${reached(proxies[n] as FaultProxy, databaseUrl)}`,
  )
  const service = startService({
    DATABASE_URL: testDatabaseUrl(databases.connection.database),
    CELLS: cells.join(' '),
    DATA_DIR: await temporaryFolder(),
    PORT: '0',
  })
  onTestFinished(async () => {
    for (const proxy of proxies) await proxy.close()
  })
  return { service, proxies }
}

/** Stops the service. @returns after how many milliseconds it ended */
async function stop({ child, exited }: ServiceProcess): Promise<number> {
  const startedAt = performance.now()
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  return performance.now() - startedAt
}

// A stop takes about half a second if every cell responds.
const PROMPT_MS = 2500

test('a stop does not wait for a cell that has never responded or has stopped responding', async () => {
  const { service, proxies } = await startBehind(([first]) => first?.hold())
  await addressOf(service)
  proxies[1]?.hold()
  await expect.poll(() => service.output() + service.errors()).toContain('a cell does not respond')
  expect(await stop(service)).toBeLessThan(PROMPT_MS)
})

test('a stop during the start does not wait for cells that do not respond', async () => {
  const { service, proxies } = await startBehind((all) => {
    for (const proxy of all) proxy.hold()
  })
  await expect.poll(() => proxies[1]?.opened).toBeGreaterThan(0)
  expect(await stop(service)).toBeLessThan(PROMPT_MS)
})
