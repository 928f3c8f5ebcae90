// Which uses of the database are repeated when they fail: those that certainly changed nothing.
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../base/error-code.ts'
import type { DatabaseScope } from './scope.ts'
import { meansConnectionLost } from './unavailable.ts'

/** Ended by PostgreSQL to break a deadlock. */
const DEADLOCK = '40P01'
/** And because of what another transaction has changed. */
const CONFLICTS = [DEADLOCK, '40001']
const CONFLICT_TRIES = 5
// Those that met in a deadlock do not come back together.
const CONFLICT_SPREAD_MS = 20

/** In addition to lost connections: a new connection may lead to a server that works. */
const REPLACED = new Set(['25006', 'ECONNREFUSED'])
/** Of a server; together, tries take two seconds. */
const PAUSES_MS = [50, 150, 450, 1350]

/** One try. */
export interface Try {
  /** Whether it changed nothing, and had no effect elsewhere, should it fail now. */
  mayRepeat: boolean
}

export interface Persistence {
  /** False while the service stops. */
  isWanted(): boolean
  /** When the time of the request is over, no pause is made. */
  scope: DatabaseScope | undefined
}

function isReplaced(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  if (code === 'ENOENT') return (error as NodeJS.ErrnoException).syscall === 'connect'
  return REPLACED.has(code) || meansConnectionLost(error)
}

const conflictPause = (tries: number) =>
  tries < CONFLICT_TRIES ? Math.random() * CONFLICT_SPREAD_MS * tries : undefined

const pause = (ms: number, scope: DatabaseScope | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      scope?.unlisten(end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    scope?.listen(end)
  })

async function retryOn<Result>(codes: readonly string[], work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const ms = codes.includes(errorCode(error) ?? '') ? conflictPause(tries) : undefined
      if (ms === undefined) throw error
      await delay(ms)
    }
  }
}

/** Repeats a transaction that PostgreSQL ended to break a deadlock, or because of another one. */
export const retryOnConflict = <Result>(work: () => Promise<Result>): Promise<Result> =>
  retryOn(CONFLICTS, work)

/** Repeats a single statement that lost a deadlock. What a standby ended to replay a change is sent to the primary instead. */
export const retryOnDeadlock = <Result>(work: () => Promise<Result>): Promise<Result> =>
  retryOn([DEADLOCK], work)

/** Errors after which a use of a database was given up: what is around it, on another database, is not repeated. */
const givenUp = new WeakSet<object>()

function giveUp(error: unknown): never {
  if (error instanceof Error) givenUp.add(error)
  throw error
}

const isGivenUp = (error: unknown) => error instanceof Error && givenUp.has(error)

/** Repeats what met a server that is replaced, as long as nothing of it can have been committed. */
export async function retryOnReplacement<Result>(
  work: (one: Try) => Promise<Result>,
  { isWanted, scope }: Persistence,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    const one: Try = { mayRepeat: true }
    try {
      return await work(one)
    } catch (error) {
      const ms = PAUSES_MS[tries]
      const isLast = ms === undefined || !one.mayRepeat || !isWanted()
      if (isLast || isGivenUp(error) || !isReplaced(error)) giveUp(error)
      await pause(ms * (0.5 + Math.random()), scope)
    }
  }
}
