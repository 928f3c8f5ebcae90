// The current address of the service. Writers wait here while the service is down.
import { Pool } from 'undici'

export interface Times {
  slowestMs: number
  /** The number of answers by status. */
  statuses: Record<number, number>
  /** The time of the last 5xx, by `performance.now()`; 0: there was none. */
  lastRefusedAt: number
}

export interface Gate {
  /** Waits for a running service. @returns the connections to it */
  pass(): Promise<Pool>
  /** Resolves when a writer has its first answer from this address. */
  open(address: string): Promise<void>
  /** Called when a writer has an answer. */
  heard(): void
  /** Records the duration of a request; status 0: it got no answer. */
  took(ms: number, status: number): void
  /** The times since the previous call. */
  times(): Times
  /** Does not cancel requests in progress. */
  close(): void
}

const CONNECTIONS = 16

const newTimes = (): Times => ({ slowestMs: 0, statuses: {}, lastRefusedAt: 0 })

export function createGate(): Gate {
  let pool: Pool | undefined
  let opening = Promise.withResolvers<Pool>()
  let hearing = Promise.withResolvers<void>()
  let times = newTimes()
  return {
    pass: () => opening.promise,
    heard: () => hearing.resolve(),
    took(ms, status) {
      times.slowestMs = Math.max(times.slowestMs, ms)
      if (status >= 500) times.lastRefusedAt = performance.now()
      times.statuses[status] = (times.statuses[status] ?? 0) + 1
    },
    times() {
      const until = times
      times = newTimes()
      return until
    },
    open(address) {
      hearing = Promise.withResolvers()
      pool = new Pool(address, { connections: CONNECTIONS })
      opening.resolve(pool)
      return hearing.promise
    },
    close() {
      opening = Promise.withResolvers()
      // Not `destroy`: an answer sent just before the end can still be read.
      void pool?.close()
      pool = undefined
    },
  }
}
