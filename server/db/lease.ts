// Leases of connections of a pool, and time limits for them.
import type pg from 'pg'
import { watchForStall } from './stall.ts'

/** The permission to use a connection. */
export interface ConnectionPermit {
  /** Runs work that uses the connection for more than one statement. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether to use a connection whose server process has a low priority, if there are such connections. */
  hasLowPriority?: boolean
  /** Called after use: whether to close the connection, because changes of its session cannot be undone. */
  isUsedUp?(): boolean
  release(): void
}

export interface ConnectionLease extends Pick<ConnectionPermit, 'run'> {
  client: pg.ClientBase & { readonly processID?: number | null }
  /** Called before each statement. @throws when the time limit has passed */
  check(): void
  /** @param isBroken whether the connection cannot be used again */
  release(isBroken: boolean): void
}

/** Reading took longer than its time limit. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
  readonly ms: number
  /** Whether the server responded to nothing during that time. */
  readonly isStalled: boolean

  constructor(ms: number, isStalled = false) {
    super(`The statements took longer than ${ms} ms`)
    this.ms = ms
    this.isStalled = isStalled
  }
}

interface Options {
  lease(): Promise<ConnectionLease>
  /** Cancels the running statement of a session. */
  cancel(pid: number): Promise<unknown>
  /** Sends the server a trivial statement, on a separate connection. */
  ask(): Promise<unknown>
}

/** False if the cancellation could not be sent: then statement_timeout ends the statement. */
const arrived = ({ client: { processID } }: ConnectionLease, cancel: Options['cancel']): Promise<boolean> =>
  processID
    ? cancel(processID).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false)

/**
 * Runs `work` on connections whose statements are cancelled after `ms`. A connection is reused only after its
 * cancellation has arrived: a late cancellation would end the next statement.
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
