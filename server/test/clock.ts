// A clock for tests that cannot wait three days: the service's and the database's, moved together.
import sql, { type Sql } from 'sql-template-tag'

export interface TestClock {
  now(): Date
  /** The same moment as the database sees it. */
  databaseNow(): Sql
  advance(ms: number): void
}

export function createTestClock(): TestClock {
  let offsetMs = 0
  return {
    now: () => new Date(Date.now() + offsetMs),
    databaseNow: () => sql`(now() + make_interval(secs => ${offsetMs / 1000}::float8))`,
    advance(ms) {
      offsetMs += ms
    },
  }
}
