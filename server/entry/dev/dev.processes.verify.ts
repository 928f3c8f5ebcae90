// npm run dev as a developer uses it: one address, an API that restarts, and no processes left at the end.
import { once } from 'node:events'
import { utimesSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isAlive, processesBelow } from '../processes.fixture.ts'
import { addressOf, embeddedEnv, startService } from '../service-process.fixture.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const SOURCE = fileURLToPath(new URL('../../base/id.ts', import.meta.url))

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  listener.close()
  await once(listener, 'close')
  return port
}

test('pages and API have one address, a change restarts only the API, and all processes end', async () => {
  const port = await freePort()
  const dev = startService({ ...(await embeddedEnv()), PORT: `${port}` }, [process.execPath, MAIN])
  const pid = dev.child.pid ?? 0
  const below = () => [...processesBelow(pid)]
  const pidOf = (command: RegExp) => below().find(([, line]) => command.test(line))?.[0]
  const apiPid = () => pidOf(/^\S*node (?!--watch ).*server\/main\.ts --dev/)
  onTestFinished(() => {
    for (const [child] of below()) process.kill(child, 'SIGKILL')
  })

  const address = await addressOf(dev)
  expect(address).toBe(`http://127.0.0.1:${port}`)
  const page = await fetch(`${address}/o/acme/objects`, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain('/@vite/client')
  expect((await fetch(`${address}/shared/api/errors.ts`)).headers.get('content-type')).toBe('text/javascript')
  expect((await fetch(`${address}/api/v1/objects`)).status).toBe(401)

  const [first, postgres] = [apiPid(), pidOf(/postgres -D/)]
  expect(first).toBeTypeOf('number')
  utimesSync(SOURCE, new Date(), new Date())
  await vi.waitUntil(() => ![undefined, first].includes(apiPid()), { timeout: 120_000 })
  expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: 'ok' })
  expect(pidOf(/postgres -D/)).toBe(postgres)

  const started = below().map(([child]) => child)
  dev.child.kill('SIGINT')
  expect(await dev.exited).toBe(0)
  expect(started.filter(isAlive)).toEqual([])
})
