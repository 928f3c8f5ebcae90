// How long PostgreSQL itself takes for the statements of one side, as pg_stat_statements counts it.
import sql from 'sql-template-tag'
import type { Db } from '../../server/db/pool.ts'

const SETTINGS = [sql`alter system set pg_stat_statements.track_planning = on`, sql`select pg_reload_conf()`]

/** From now on statements are counted; the library must be loaded. */
export async function countStatements(db: Db): Promise<void> {
  await db.run(sql`create extension if not exists pg_stat_statements`)
  for (const setting of SETTINGS) await db.run(setting)
}

/** From the next start of PostgreSQL on. */
export const loadCounting = (db: Db): Promise<number> =>
  db.run(sql`alter system set shared_preload_libraries = 'pg_stat_statements'`)

/** Statements of the service that read or write records, by what their texts name. */
export const SERVICE_STATEMENTS = String.raw`\m(records|index_\w+|stat_\w+)\M`
export const LIMIT_STATEMENTS = String.raw`\mbench\.people\M`

export const resetStatements = (db: Db): Promise<number> => db.run(sql`select pg_stat_statements_reset()`)

/** Milliseconds of planning and executing since the last reset. @param pattern of the texts that count */
export const statementMs = async (db: Db, pattern: string): Promise<number> =>
  (
    await db.one<{ ms: number }>(sql`
      select coalesce(sum(total_plan_time + total_exec_time), 0) as ms from pg_stat_statements
      where query ~ ${pattern} and query !~ 'pg_stat_statements'`)
  ).ms
