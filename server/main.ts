// npm start: environment → configuration → database → API and worker → graceful stop.
import { buildApi } from './api.ts'
import { createAdmission } from './api-keys/admission.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { DatabaseError } from './db/database.ts'
import { EmbeddedError } from './db/embedded.ts'
import { MigrationError } from './db/migrate.ts'
import { errorCode } from './db/pool.ts'
import { startJobs } from './jobs/jobs.ts'
import { createLog, type OpenContext, openContext } from './open-context.ts'
import { preparePages } from './pages/pages.ts'
import { announce } from './welcome.ts'
import { engines, queueJobs, scheduledJobs } from './worker.ts'

/** Problems an operator can solve: told in one line, without a stack. */
const EXPECTED = [ConfigError, DatabaseError, EmbeddedError, MigrationError]

function explainStart(error: unknown, config: Pick<Config, 'port' | 'host'> | undefined): string | undefined {
  if (error instanceof Error && EXPECTED.some((kind) => error instanceof kind)) return error.message
  const where = `${config?.host}:${config?.port}`
  if (errorCode(error) === 'EADDRINUSE')
    return `${where} is in use: stop what listens there, or set PORT to another port`
  if (errorCode(error) === 'EACCES')
    return `${where} may not be listened on by this user: set PORT to 1024 or above`
  if (errorCode(error) === 'EADDRNOTAVAIL')
    return `${config?.host} is not an address of this machine: set HOST to one that is`
  return undefined
}

type Close = () => Promise<void>

async function startApi({ ctx, pool }: OpenContext): Promise<{ address: string; close: Close }> {
  const admission = createAdmission(ctx)
  const app = buildApi(ctx, admission, pool, preparePages(ctx.log))
  const close = async () => {
    await app.close()
    await admission.close()
  }
  try {
    const address = await app.listen({ port: ctx.config.port, host: ctx.config.host })
    return { address, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Running {
  opened: OpenContext
  /** How to stop each part; they stop beside each other, and what they stand on is closed afterwards. */
  parts: Close[]
  /** Settles once every part has started, or one could not: a half-started part cannot be stopped. */
  started: Promise<unknown>
  stopping: boolean
}

/** So long requests under way may take; what is broken off is sent again. */
const ENGINE_STOP_MS = 3000

/** Starts what ROLE asks for. */
async function startParts({ opened, parts }: Running): Promise<void> {
  const { ctx, pool, enginePool } = opened
  if (ctx.config.role !== 'worker') {
    const { address, close } = await startApi(opened)
    parts.push(close)
    await announce(opened, address)
  }
  if (ctx.config.role !== 'api') {
    const jobs = await startJobs(ctx, pool, { scheduled: scheduledJobs, queued: queueJobs })
    parts.push(() => jobs.stop())
    for (const create of engines) {
      const engine = create(ctx, enginePool)
      engine.start()
      parts.push(() => engine.stop(ENGINE_STOP_MS))
    }
  }
}

const STOP_MS = 10_000

async function stopParts(running: Running): Promise<void> {
  const { log } = running.opened.ctx
  running.stopping = true
  const stop = (part: Close) => part().catch((err) => log.error({ err }, 'a part did not stop cleanly'))
  await Promise.all(running.parts.map(stop))
  await stop(() => running.opened.close())
}

function stopOnSignal(running: Running): void {
  const { ctx, database } = running.opened
  const stop = async (why: string, code: number) => {
    if (running.stopping) return
    ctx.log.info({ why }, 'stopping')
    running.stopping = true
    setTimeout(() => process.exit(code || 1), STOP_MS).unref()
    await running.started
    await stopParts(running)
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal, 0))
  void database.embedded?.exited.then((why) => {
    if (!running.stopping) ctx.log.fatal({ why }, 'PostgreSQL ended by itself: its log is in the data folder')
    return stop(`PostgreSQL ended: ${why}`, 1)
  })
}

async function start(config: Config): Promise<void> {
  const log = createLog(config)
  const opened = await openContext(config, { mode: 'own', log, onNotice: (line) => log.info(line) })
  const { promise: started, resolve } = Promise.withResolvers<void>()
  const running: Running = { opened, parts: [], started, stopping: false }
  stopOnSignal(running)
  try {
    await startParts(running)
    resolve()
  } catch (error) {
    await stopParts(running)
    throw error
  }
}

const stackOf = (error: unknown) => (error instanceof Error ? error.stack : String(error))

async function main(): Promise<void> {
  let config: Config | undefined
  try {
    config = readConfig(process.env)
    await start(config)
  } catch (error) {
    const line = explainStart(error, config)
    process.stderr.write(line ? `rapport: ${line}\n` : `rapport could not start: ${stackOf(error)}\n`)
    process.exit(1)
  }
}

await main()
