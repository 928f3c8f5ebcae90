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
import { announce } from './welcome.ts'
import { scheduledJobs } from './worker.ts'

/** Problems an operator can solve: told in one line, without a stack. */
const EXPECTED = [ConfigError, DatabaseError, EmbeddedError, MigrationError]

export function explainStart(
  error: unknown,
  config: Pick<Config, 'port' | 'host'> | undefined,
): string | undefined {
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
  const app = buildApi(ctx, admission, pool)
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

/** Starts what ROLE asks for. @returns how to stop it, last part first */
async function startParts(opened: OpenContext): Promise<Close[]> {
  const { ctx, pool } = opened
  const closing: Close[] = []
  try {
    if (ctx.config.role !== 'worker') {
      const { address, close } = await startApi(opened)
      closing.unshift(close)
      await announce(ctx, address)
    }
    if (ctx.config.role !== 'api') {
      const jobs = await startJobs(ctx, pool, scheduledJobs)
      closing.unshift(() => jobs.stop())
    }
    return closing
  } catch (error) {
    for (const close of closing) await close()
    throw error
  }
}

const STOP_MS = 10_000

function stopOnSignal({ ctx, database, close }: OpenContext, parts: Close[]): void {
  let stopping = false
  const stop = async (why: string, code: number) => {
    if (stopping) return
    stopping = true
    ctx.log.info({ why }, 'stopping')
    setTimeout(() => process.exit(code || 1), STOP_MS).unref()
    for (const part of parts)
      await part().catch((err) => ctx.log.error({ err }, 'a part did not stop cleanly'))
    await close().catch((err) => ctx.log.error({ err }, 'the database did not close cleanly'))
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal, 0))
  void database.embedded?.exited.then((why) => {
    if (!stopping) ctx.log.fatal({ why }, 'PostgreSQL ended by itself: its log is in the data folder')
    return stop(`PostgreSQL ended: ${why}`, 1)
  })
}

async function main(): Promise<void> {
  let config: Config | undefined
  try {
    config = readConfig(process.env)
    const log = createLog(config)
    const onNotice = (line: string) => log.info(line)
    const opened = await openContext(config, { mode: 'own', log, onNotice })
    const parts = await startParts(opened).catch(async (error) => {
      await opened.close()
      throw error
    })
    stopOnSignal(opened, parts)
  } catch (error) {
    const line = explainStart(error, config)
    process.stderr.write(
      line
        ? `rapport: ${line}\n`
        : `rapport could not start: ${error instanceof Error ? error.stack : error}\n`,
    )
    process.exit(1)
  }
}

await main()
