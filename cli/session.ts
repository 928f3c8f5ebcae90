// What a command works with: the database, brought up to date, whether or not the service is running.
import { constants } from 'node:os'
import pino, { type Logger } from 'pino'
import { type Config, readConfig } from '../server/config.ts'
import type { Context } from '../server/context.ts'
import type { Pool } from '../server/db/pool.ts'
import type { Auth } from '../server/identity/auth.ts'
import { readAuthSecret } from '../server/identity/secret.ts'
import { openContext } from '../server/open-context.ts'

interface Session {
  ctx: Context & { db: Pool }
  /** better-auth takes a third of a second to load, and most commands do without. */
  openAuth(): Promise<Auth>
}

const POOL_SIZE = 4

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// A command answers on standard output and in one line of error; it logs only when asked to by LOG_LEVEL.
function openLog({ logLevel }: Config): Logger {
  const level = process.env['LOG_LEVEL'] ? logLevel : 'silent'
  return pino({ level }, pino.destination({ fd: 2, sync: true }))
}

type Closer = () => Promise<void>

async function open(closers: Closer[]): Promise<Session> {
  const config = { ...readConfig(process.env), poolSize: POOL_SIZE }
  const log = openLog(config)
  const opened = await openContext(config, { mode: 'attach', log, onNotice: (line) => log.info(line) })
  closers.unshift(() => opened.close())
  return {
    ctx: { ...opened.ctx, db: opened.pool },
    async openAuth() {
      const { createAuth } = await import('../server/identity/auth.ts')
      const secret = await readAuthSecret(config)
      const auth = createAuth({
        connection: opened.database.connection,
        secret,
        baseUrl: config.baseUrl,
        log,
      })
      closers.unshift(() => auth.close())
      return auth
    },
  }
}

/** Runs `work` unless a signal stops it first. */
async function untilSignalled<Result>(work: () => Promise<Result>): Promise<Result> {
  const { promise: signalled, reject } = Promise.withResolvers<never>()
  const stop = (signal: NodeJS.Signals) => {
    process.exitCode = 128 + constants.signals[signal]
    reject(new Error(`stopped by ${signal}`))
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  try {
    return await Promise.race([work(), signalled])
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop)
  }
}

/** Opens a session, runs `work` in it, and closes everything it opened, also when the work fails or is stopped. */
export async function withSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  const closers: Closer[] = []
  try {
    const session = await open(closers)
    return await untilSignalled(() => work(session))
  } finally {
    for (const close of closers) await close()
  }
}
