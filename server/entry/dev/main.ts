// npm run dev: the service for developers, on one address.
//
// This process runs the parts that do not restart: the database and Vite, which serves the dashboard with hot reload
// and passes all other requests to the API. The API is a separate process, which attaches to the database. `node
// --watch` restarts it when a file that it imports changes. Requests wait while it starts. Arguments after
// `npm run dev --` are options of its Node, such as --inspect.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createServer, type ProxyOptions, type ViteDevServer } from 'vite'
import { messageOf } from '../../base/message-of.ts'
import { type Config, readConfig } from '../../config/config.ts'
import { openDatabase } from '../../db/database.ts'
import { reservePort } from '../reserved-port.ts'
import { SERVICE_PATHS } from './service-paths.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const HOST = '127.0.0.1'

/** Chooses a free port in advance, so that the API has the same port after each restart. */
async function withFreePort(config: Config): Promise<Config> {
  const reserved = await reservePort({ ...config, port: 0 })
  await reserved.release()
  return reserved.config
}

/** @param port the port to listen on; browsers use `config.baseUrl` */
function startApi(config: Config, port: number): ChildProcess {
  const { baseUrl, demo } = config
  const env = { HOST, PORT: String(port), BASE_URL: baseUrl, RAPPORT_DEMO: demo ? 'on' : 'off' }
  const options = ['--watch', '--watch-preserve-output', ...process.argv.slice(2)]
  return spawn(process.execPath, [...options, 'server/main.ts', '--dev'], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A separate process group: only this process gets Ctrl+C, and stops the API before the database.
    detached: true,
  })
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, HOST)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const START_MS = 60_000
const POLL_MS = 50

/** Waits while the API starts. If it cannot start, it prints the reason itself. */
async function untilItAnswers(port: number): Promise<void> {
  const deadline = Date.now() + START_MS
  while (!(await answers(port)) && Date.now() < deadline) await delay(POLL_MS)
}

async function startVite({ host, port, baseUrl }: Config, api: number): Promise<ViteDevServer> {
  const toApi: ProxyOptions = {
    target: `http://${HOST}:${api}`,
    bypass: () => untilItAnswers(api),
  }
  const vite = await createServer({
    configFile: `${ROOT}dashboard/vite.config.ts`,
    clearScreen: false,
    server: {
      ...{ host, port, strictPort: true },
      allowedHosts: [new URL(baseUrl).hostname],
      // The service decides which origins may read its responses.
      cors: false,
      proxy: { [SERVICE_PATHS]: toApi },
    },
  })
  return vite.listen()
}

async function endApi(api: ChildProcess): Promise<void> {
  if (api.exitCode !== null || api.signalCode !== null) return
  api.kill('SIGTERM')
  await once(api, 'exit')
}

/** Settles with the first signal to stop, or when the process that watches the API ends. */
function untilStopped(api: ChildProcess): Promise<unknown> {
  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => once(process, signal))
  return Promise.race([...signals, once(api, 'exit')])
}

async function main(): Promise<void> {
  const given = readConfig(process.env)
  const config = given.port === 0 ? await withFreePort(given) : given
  const database = await openDatabase(config, { mode: 'own', onNotice: (line) => console.error(line) })
  const { port } = await withFreePort({ ...config, host: HOST })
  const api = startApi(config, port)
  const stopped = untilStopped(api)
  try {
    const vite = await startVite(config, port)
    await stopped
    await vite.close()
  } finally {
    await endApi(api)
    await database.stop()
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`rapport: ${messageOf(error)}\n`)
  process.exitCode = 1
})
process.exit()
