// The use of one connection of a pool, and the end of a use that takes too long.
import type pg from 'pg'
import { watchForStall } from './stall.ts'

/** What allows the use of a connection. */
export interface ConnectionPermit {
  /** Runs what uses the connection for more than one statement. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether others are preferred to it: it gets a connection whose process has a low priority, where there are such. */
  hasLowPriority?: boolean
  /** Asked at the end: whether the connection is closed, because what its user changed of it cannot be undone. */
  isUsedUp?(): boolean
  release(): void
}

/** A connection while it is used. */
export interface ConnectionLease extends Pick<ConnectionPermit, 'run'> {
  client: pg.ClientBase & { readonly processID?: number | null }
  /** Before each statement. @throws when the time for it is over */
  check(): void
  /** @param isBroken whether the connection cannot be used again */
  release(isBroken: boolean): void
}

/** Reading took longer than it may. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
  readonly ms: number
  /** Whether the server did not respond to anything meanwhile. */
  readonly isStalled: boolean

  constructor(ms: number, isStalled = false) {
    super(`The statements took longer than ${ms} ms`)
    this.ms = ms
    this.isStalled = isStalled
  }
}

interface Options {
  lease(): Promise<ConnectionLease>
  /** Ends the statement in flight of a session. */
  cancel(pid: number): Promise<unknown>
  /** Sends the server a trivial statement, on a separate connection. */
  ask(): Promise<unknown>
}

/** When it cannot be sent, the session's own statement_timeout ends the statement. */
const arrived = ({ client: { processID } }: ConnectionLease, cancel: Options['cancel']): Promise<boolean> =>
  processID
    ? cancel(processID).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false)

/**
 * Runs `work` on connections whose statements are cancelled after `ms`. A connection is used again only once its
 * cancellation has arrived: it would end the next statement otherwise.
 * @throws TimeLimitError
 */
export async function withinTime<Result>(
  ms: number,
  { lease, cancel, ask }: Options,
  work: (lease: () => Promise<ConnectionLease>) => Promise<Result>,
): Promise<Result> {
  const used = new Set<ConnectionLease>()
  const stopping = new Map<ConnectionLease, Promise<boolean>>()
  let isOver = false
  const check = () => {
    if (isOver) throw new TimeLimitError(ms)
  }
  const watch = watchForStall(ask, ms)
  const timer = setTimeout(() => {
    isOver = true
    for (const one of used) stopping.set(one, arrived(one, cancel))
  }, ms)
  const limited = async (): Promise<ConnectionLease> => {
    check()
    const inner = await lease()
    if (isOver) inner.release(false)
    check()
    used.add(inner)
    return {
      ...inner,
      check() {
        inner.check()
        check()
      },
      release(isBroken) {
        used.delete(inner)
        const stop = stopping.get(inner)
        if (!stop) return inner.release(isBroken)
        void stop.then((isStopped) => inner.release(isBroken || !isStopped))
      },
    }
  }
  try {
    return await work(limited)
  } catch (error) {
    throw isOver ? new TimeLimitError(ms, await watch.isStalled()) : error
  } finally {
    clearTimeout(timer)
    watch.stop()
  }
}
