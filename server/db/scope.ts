// What one request may still do with the database, and what it may have done.
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
  /** Whether a change may have been committed: one was, or its answer never came. */
  readonly mayHaveCommitted: boolean
  /** Ends what is under way; what follows throws CutOffError. */
  cut(): void
  /** @throws CutOffError */
  check(): void
  /** Calls `listener` when the time is over, until `unlisten`. An AbortSignal costs more than the rest of a request. */
  listen(listener: () => void): void
  unlisten(listener: () => void): void
  /** For what happens outside the scope, and changes what it likes. @returns takes it back: nothing was written */
  presumeChanges(): () => void
  /** Sends what commits by itself. */
  committing<Result>(send: () => Promise<Result>): Promise<Result>
  /** How many changes are counted. */
  readonly changes: number
  /** Takes back what was counted since then: it turned out that nothing of it was written. */
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

/** The result of statements that could not write all of their work, and have written nothing of it. */
export const NOTHING_WRITTEN = Symbol('nothing written')
export type NothingWritten = typeof NOTHING_WRITTEN

/** Runs statements that write either all of their work or nothing. */
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
 * For a statement that several requests share.
 * @returns a scope that is over once all of `scopes` are, and `leave`, to be called in the end
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

/** Whether a statement may change something; `select … for update` counts, which errs on the safe side. */
export const mayChange = (text: string): boolean => CHANGES.test(text)

interface Source {
  lease(): Promise<ConnectionLease>
  /** Ends the statement in flight of a session. */
  cancel(pid: number): Promise<unknown>
}

/** Waits for a connection no longer than the request may. */
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
 * A connection for as long as the request may use it. When the request is cut off its statement is cancelled, and a
 * connection on which nothing is heard of it is destroyed; none of them is used again, since a cancellation may be late.
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
