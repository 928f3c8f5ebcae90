// What the database says about itself and about work that does not get done.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

export interface DatabaseFacts {
  version: string
  bytes: number
}

export const selectFacts = (db: Db) =>
  db.one<DatabaseFacts>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`)

export interface StuckWork {
  /** Deleted objects and attributes whose data is still there an hour later. */
  unpurged: number
  failedJobs: number
  strayEvents: number
  oldestTransactionSeconds: number
}

/** Those of `infinity` have not been seen by the worker yet; since when is not kept. */
const countUnpurged = (db: Db) =>
  db.one<{ count: number }>(sql`
    select count(*) from (
      select deleted_at from attributes where deleted_at is not null
      union all select deleted_at from objects where deleted_at is not null) as deleted
    where deleted_at < now() - interval '1 hour'`)

/** pg-boss makes its tables at the first start of a worker. */
async function countFailedJobs(db: Db): Promise<number> {
  const { present } = await db.one<{ present: boolean }>(
    sql`select to_regclass('pgboss.job') is not null as present`,
  )
  if (!present) return 0
  return db.value<number>(sql`
    select count(*) from pgboss.job where state = 'failed' and completed_on > now() - interval '1 day'`)
}

const countStrayEvents = (db: Db) =>
  db.one<{ count: number }>(sql`select count(*) from (select from events_other limit 1000000) as stray`)

const oldestTransaction = (db: Db) =>
  db.one<{ seconds: number }>(sql`
    select coalesce(extract(epoch from max(now() - xact_start)), 0)::float8 as seconds
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)

export async function selectStuckWork(db: Db): Promise<StuckWork> {
  return {
    unpurged: (await countUnpurged(db)).count,
    failedJobs: await countFailedJobs(db),
    strayEvents: (await countStrayEvents(db)).count,
    oldestTransactionSeconds: (await oldestTransaction(db)).seconds,
  }
}
