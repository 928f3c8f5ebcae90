// A clock for tests that cannot wait for days: it moves the times of the service and of the database together.
import sql, { type Sql } from 'sql-template-tag'

export interface TestClock {
  now(): Date
  /** The same time as an SQL expression. */
  databaseNow(): Sql
  /** Milliseconds, for measuring durations. */
  monotonic(): number
  advance(ms: number): void
  /** After this only `advance` moves the clock. Times that the database sets itself are later. */
  freeze(): void
  unfreeze(): void
}

export function createTestClock(): TestClock {
  let offsetMs = 0
  let frozenMs: number | undefined
  const offset = () => sql`make_interval(secs => ${offsetMs / 1000}::float8)`
  return {
    now: () => new Date((frozenMs ?? Date.now()) + offsetMs),
    databaseNow: () =>
      frozenMs === undefined
        ? sql`(now() + ${offset()})`
        : sql`(${new Date(frozenMs).toISOString()}::timestamptz + ${offset()})`,
    monotonic: () => (frozenMs ?? Date.now()) + offsetMs,
    advance(ms) {
      offsetMs += ms
    },
    freeze() {
      // The next millisecond, because rows of the current millisecond have microseconds and would be in the future.
      frozenMs = Date.now() + 1
    },
    unfreeze() {
      frozenMs = undefined
    },
  }
}
