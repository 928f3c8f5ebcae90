// A clock for tests that cannot wait three days: the service's and the database's, moved together.
import sql, { type Sql } from 'sql-template-tag'

export interface TestClock {
  now(): Date
  /** The same moment as the database sees it. */
  databaseNow(): Sql
  /** In ms, for the time between two moments. */
  monotonic(): number
  advance(ms: number): void
  /** From here on only `advance` moves it. What the database writes meanwhile has later times. */
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
      // Times of rows have microseconds: those of this millisecond are over.
      frozenMs = Date.now() + 1
    },
    unfreeze() {
      frozenMs = undefined
    },
  }
}
