// Reads the database's clock and this process's clock.
import sql from 'sql-template-tag'
import type { Db } from './pool.ts'

export interface Clock {
  now(): Date
}

export interface ClockReading {
  /** The database's time. */
  now: Date
  /** How far the database's clock is ahead; negative: behind. 0 if the difference is within the time of the query. */
  aheadMs: number
}

export async function readClocks(db: Db, clock: Clock): Promise<ClockReading> {
  const before = clock.now().getTime()
  const { ms } = await db.one<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  )
  const after = clock.now().getTime()
  return { now: new Date(ms), aheadMs: Math.min(0, ms - before) || Math.max(0, ms - after) }
}
