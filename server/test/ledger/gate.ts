// Where the service answers at the moment. Writers wait here while it is dead.
import { Pool } from 'undici'

export interface Times {
  slowestMs: number
  /** How often each was the answer. */
  statuses: Record<number, number>
  /** When the last 5xx came, by `performance.now()`; 0: none did. */
  lastRefusedAt: number
}

export interface Gate {
  /** The connections to the living service; waits for it. */
  pass(): Promise<Pool>
  /** Resolves when a writer has its first answer there. */
  open(address: string): Promise<void>
  /** A writer has an answer. */
  heard(): void
  /** A request took so long; status 0: it got no answer. */
  took(ms: number, status: number): void
  /** Since it was last asked for. */
  times(): Times
  /** Requests under way are left to what becomes of them. */
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
      // Not `destroy`: an answer that was sent just before the end may still be read.
      void pool?.close()
      pool = undefined
    },
  }
}
