// Repeats failed work on the database if it certainly changed nothing.
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../base/error-code.ts'
import type { DatabaseScope } from './scope.ts'
import { meansConnectionLost } from './unavailable.ts'

/** SQLSTATE: PostgreSQL ended the transaction to break a deadlock. */
const DEADLOCK = '40P01'
/** Also 40001: a conflict with changes of another transaction. */
const CONFLICTS = [DEADLOCK, '40001']
const CONFLICT_TRIES = 5
// Random pauses keep transactions of a deadlock from meeting again.
const CONFLICT_SPREAD_MS = 20

/** Codes that are retried besides lost connections: a new connection may lead to a working server. */
const REPLACED = new Set(['25006', 'ECONNREFUSED'])
/** Pauses while a server is replaced, two seconds in total. */
const PAUSES_MS = [50, 150, 450, 1350]

export interface Try {
  /** Whether a failure at this point means that the try changed nothing and had no other effects. */
  mayRepeat: boolean
}

export interface Persistence {
  /** False while the service stops. */
  isWanted(): boolean
  /** The pause ends when the time of the request is over. */
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

/** Repeats a transaction that PostgreSQL ended because of a deadlock or of a conflict with another transaction. */
export const retryOnConflict = <Result>(work: () => Promise<Result>): Promise<Result> =>
  retryOn(CONFLICTS, work)

/** Repeats a single statement that lost a deadlock. Conflicts with replay on a standby are not repeated here. */
export const retryOnDeadlock = <Result>(work: () => Promise<Result>): Promise<Result> =>
  retryOn([DEADLOCK], work)

/** Errors after which inner work was given up: outer work on another database is not repeated for them. */
const givenUp = new WeakSet<object>()

function giveUp(error: unknown): never {
  if (error instanceof Error) givenUp.add(error)
  throw error
}

const isGivenUp = (error: unknown) => error instanceof Error && givenUp.has(error)

/** Repeats work that failed because the server is being replaced, if nothing of it can have been committed. */
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
