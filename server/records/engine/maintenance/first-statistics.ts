// Makes statistics of a new database as soon as it has records. Without statistics, PostgreSQL assumes one record per
// object, and finds records by the index of their changes instead of their key: an import that refers to thousands of
// records becomes several times slower. Autovacuum checks only every 15 seconds, or every minute.
import sql from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'

/** About 1,500 records. */
const BYTES = 512 * 1024

/** @returns whether there are statistics now */
export async function makeFirstStatistics(db: Db): Promise<boolean> {
  const { known, large } = await db.one<{ known: boolean; large: boolean }>(sql`
    select pg_relation_size('records') > ${BYTES}::int as large, exists (
      select from pg_stats where schemaname = current_schema() and tablename = 'records') as known`)
  if (known || !large) return known
  await db.run(sql`analyze records`)
  return true
}

/**
 * @returns a function that runs a round: it checks until there are statistics, and never requests another round
 * immediately
 */
export function createFirstStatistics(db: Db): () => Promise<false> {
  let isDone = false
  return async () => {
    if (!isDone) isDone = await makeFirstStatistics(db)
    return false
  }
}
