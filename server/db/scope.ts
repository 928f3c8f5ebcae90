// Limits the database use of one request to its time, and records whether the request may have changed something.
import type pg from 'pg'
import type { ConnectionLease } from './lease.ts'
import { isDatabaseRefusal } from './refusal.ts'

/** The time of the request is over: nothing is sent to the database for it any more. */
export class CutOffError extends Error {
  override readonly name = 'CutOffError'

  constructor() {
    super('The request was cancelled')
  }
}

export interface DatabaseScope {
  /** Whether the time is over. */
  readonly isCut: boolean
  /** Whether a change was committed, or was sent and not answered. */
  readonly mayHaveCommitted: boolean
  /** Cancels running statements; later statements throw CutOffError. */
  cut(): void
  /** @throws CutOffError */
  check(): void
  /** Calls `listener` when the time is over, until `unlisten`. An AbortSignal costs more than the rest of a request. */
  listen(listener: () => void): void
  unlisten(listener: () => void): void
  /** Counts a change by work outside the scope. @returns undoes the count; call it only if nothing was written */
  presumeChanges(): () => void
  /** Sends a commit, or a change outside a transaction. */
  committing<Result>(send: () => Promise<Result>): Promise<Result>
  /** The number of changes so far. */
  readonly changes: number
  /** Resets the count to `changes`. Call it only if nothing was written since then. */
  forgetSince(changes: number): void
}

class RequestScope implements DatabaseScope {
  isCut = false
  changes = 0
  readonly #listeners = new Set<() => void>()

  get mayHaveCommitted() {
    return this.changes > 0
  }

  cut(): void {
    this.isCut = true
    for (const listener of [...this.#listeners]) listener()
    this.#listeners.clear()
  }

  check(): void {
    if (this.isCut) throw new CutOffError()
  }

  listen(listener: () => void): void {
    this.#listeners.add(listener)
  }

  unlisten(listener: () => void): void {
    this.#listeners.delete(listener)
  }

  presumeChanges(): () => void {
    this.changes++
    return () => {
      this.changes--
    }
  }

  forgetSince(changes: number): void {
    this.changes = changes
  }

  async committing<Result>(send: () => Promise<Result>): Promise<Result> {
    const takeBack = this.presumeChanges()
    try {
      return await send()
    } catch (error) {
      if (isDatabaseRefusal(error)) takeBack()
      throw error
    }
  }
}

/** The result of statements that could not write everything, and therefore wrote nothing. */
export const NOTHING_WRITTEN = Symbol('nothing written')
export type NothingWritten = typeof NOTHING_WRITTEN

/** Runs statements that write everything or nothing. */
export async function allOrNothing<Result>(
  scope: DatabaseScope | undefined,
  work: () => Promise<Result | NothingWritten>,
): Promise<Result | NothingWritten> {
  const before = scope?.changes ?? 0
  const result = await work()
  if (result === NOTHING_WRITTEN) scope?.forgetSince(before)
  return result
}

export const createScope = (): DatabaseScope => new RequestScope()

/**
 * Joins the scopes of requests that share a statement.
 * @returns a scope that is cut when all of `scopes` are cut, and `leave`, which the caller calls after the statement
 */
export function joinScopes(scopes: readonly (DatabaseScope | undefined)[]): {
  scope: DatabaseScope
  leave: () => void
} {
  const scope = createScope()
  let left = scopes.length
  const onCut = () => {
    left--
    if (left === 0) scope.cut()
  }
  for (const one of scopes) one?.listen(onCut)
  const leave = () => {
    for (const one of scopes) one?.unlisten(onCut)
  }
  return { scope, leave }
}

const CHANGES = /\b(?:insert|update|delete|merge|truncate|copy|call|do|create|alter|drop)\b/i

/** Whether a statement may change something; also true for `select … for update`, to be safe. */
export const mayChange = (text: string): boolean => CHANGES.test(text)

interface Source {
  lease(): Promise<ConnectionLease>
  /** Cancels the running statement of a session. */
  cancel(pid: number): Promise<unknown>
}

/** Waits for a connection until the request is cut off. */
const waitForLease = (
  scope: DatabaseScope,
  lease: () => Promise<ConnectionLease>,
): Promise<ConnectionLease> =>
  new Promise((resolve, reject) => {
    scope.check()
    const onCut = () => reject(new CutOffError())
    scope.listen(onCut)
    lease().then(
      (arrived) => {
        scope.unlisten(onCut)
        if (scope.isCut) arrived.release(false)
        else resolve(arrived)
      },
      (error: unknown) => {
        scope.unlisten(onCut)
        reject(error)
      },
    )
  })

/** How long PostgreSQL may take to report that it cancelled or completed a statement. */
const GRACE_MS = 1000

/**
 * A connection within the time of the request. When the request is cut off, its statement is cancelled, and the
 * connection is destroyed if there is no answer. It is not reused, since a cancellation may arrive late.
 */
export async function leaseWithin(scope: DatabaseScope, { lease, cancel }: Source): Promise<ConnectionLease> {
  const inner = await waitForLease(scope, lease)
  const client = inner.client as pg.PoolClient & ConnectionLease['client']
  let timer: NodeJS.Timeout | undefined
  const onCut = () => {
    if (client.processID) cancel(client.processID).catch(() => undefined)
    timer = setTimeout(() => client.connection.stream.destroy(new CutOffError()), GRACE_MS)
    timer.unref()
  }
  scope.listen(onCut)
  return {
    ...inner,
    check() {
      inner.check()
      scope.check()
    },
    release(isBroken) {
      scope.unlisten(onCut)
      clearTimeout(timer)
      inner.release(isBroken || scope.isCut)
    },
  }
}
