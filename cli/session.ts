// The session of a command: the migrated database, with or without a running service.
import { constants } from 'node:os'
import pino, { type Logger } from 'pino'
import { type Config, readConfig } from '../server/config/config.ts'
import type { Context } from '../server/context.ts'
import type { Pool } from '../server/db/pool.ts'
import { openCells } from '../server/entry/open-cells.ts'
import { type OpenCell, openContext } from '../server/entry/open-context.ts'

export interface CliSession {
  ctx: Context & { db: Pool }
  /** The context in the cell of an organization. @throws AppError unavailable */
  inCell(cell: number): Context & { db: Pool }
  /** Names of the migrations that this command has applied. */
  migrated: string[]
  /** Waits until the cells that respond are migrated. @returns names of the other cells */
  unpreparedCells(): Promise<string[]>
  /** Aborts when the command must stop. */
  signal: AbortSignal
  /** Loads better-auth on demand: this takes a third of a second, and most commands do not need it. */
  openAuth: Context['auth']
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The log level if LOG_LEVEL is not set. */
type Usual = 'silent' | 'warn'

// A command prints its result on standard output and an error in one line. It logs more only if LOG_LEVEL is set.
export function openLog({ logLevel }: Config, usual: Usual = 'silent'): Logger {
  const level = process.env['LOG_LEVEL'] ? logLevel : usual
  return pino({ level }, pino.destination({ fd: 2, sync: true }))
}

/** How long a command waits for cells. */
const CELLS_MS = 5000

type Closer = () => Promise<void>

async function open(closers: Closer[], usual?: Usual): Promise<Omit<CliSession, 'signal'>> {
  const config = readConfig(process.env)
  const log = openLog(config, usual)
  const onNotice = (line: string) => log.info(line)
  const opened = await openContext(config, {
    mode: 'attach',
    log,
    onNotice,
  })
  const { ctx, migrated, close } = opened
  closers.unshift(close)
  const cells = await openCells(opened)
  closers.unshift(() => cells.close())
  await cells.settled(CELLS_MS)
  const own = ({ ctx, pool }: OpenCell) => ({ ...ctx, db: pool, directory: opened.pool })
  return {
    ctx: own(opened),
    inCell: (cell) => own(cell === 0 ? opened : cells.get(cell)),
    migrated,
    unpreparedCells: () => cells.unprepared(),
    openAuth: ctx.auth,
  }
}

interface Stop {
  signal: AbortSignal
  /** Rejects when the command must end. */
  ended: Promise<never>
  forget(): void
}

/** With `graceful`, the first signal only aborts `signal` so that the work can finish; the second ends the command. */
function listen({ graceful }: { graceful: boolean }): Stop {
  const controller = new AbortController()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  ended.catch(() => undefined)
  const stop = (signal: NodeJS.Signals) => {
    process.exitCode = 128 + constants.signals[signal]
    const reason = new Error(`stopped by ${signal}`)
    if (!graceful || controller.signal.aborted) reject(reason)
    controller.abort(reason)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return {
    signal: controller.signal,
    ended,
    forget() {
      for (const signal of SIGNALS) process.removeListener(signal, stop)
    },
  }
}

/** Runs work without a session. The work must end when its signal aborts. */
export async function withStopSignal<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = listen({ graceful: true })
  try {
    return await Promise.race([work(stop.signal), stop.ended])
  } finally {
    stop.forget()
  }
}

type Work<Result> = (session: CliSession) => Promise<Result>

interface Options {
  graceful: boolean
  usual?: Usual | undefined
}

async function runSession<Result>(work: Work<Result>, options: Options): Promise<Result> {
  const closers: Closer[] = []
  let stop: Stop | undefined
  try {
    const session = await open(closers, options.usual)
    stop = listen(options)
    const result = await Promise.race([work({ ...session, signal: stop.signal }), stop.ended])
    await session.ctx.cells.copy()
    return result
  } finally {
    stop?.forget()
    for (const close of closers) await close()
  }
}

/** Opens a session, runs `work` in it, and closes it, also if the work fails or is stopped. */
export const withSession = <Result>(work: Work<Result>, usual?: Usual): Promise<Result> =>
  runSession(work, { graceful: false, usual })

/** As withSession, for work that watches `signal` and reports its progress when it is stopped. */
export const withStoppableSession = <Result>(work: Work<Result>): Promise<Result> =>
  runSession(work, { graceful: true })
