// Time of PostgreSQL for the statements of one side, as pg_stat_statements measures it.
import sql from 'sql-template-tag'
import { type Database, withClient } from '../../server/db/database.ts'
import { SERVICE_ROLE } from '../../server/db/embedded/service-role.ts'
import type { Db } from '../../server/db/pool.ts'
import { administrationOf } from '../harness/administration.ts'

const asAdministrator = (database: Pick<Database, 'embedded'>, statements: string[]): Promise<void> =>
  withClient(administrationOf(database), async (client) => {
    for (const statement of statements) await client.query(statement)
  })

/** Starts to count statements. pg_stat_statements must be loaded. */
export const countStatements = (database: Pick<Database, 'embedded'>): Promise<void> =>
  asAdministrator(database, [
    'create extension if not exists pg_stat_statements',
    `grant execute on function pg_stat_statements_reset to ${SERVICE_ROLE}`,
    'alter system set pg_stat_statements.track_planning = on',
    'select pg_reload_conf()',
  ])

/** Loads pg_stat_statements at the next start of PostgreSQL. */
export const loadCounting = (database: Pick<Database, 'embedded'>): Promise<void> =>
  asAdministrator(database, [`alter system set shared_preload_libraries = 'pg_stat_statements'`])

/** Pattern of the service's statements that read or write records, by the tables that they name. */
export const SERVICE_STATEMENTS = String.raw`\m(records|index_\w+|stat_\w+)\M`
export const LIMIT_STATEMENTS = String.raw`\mbench\.people\M`

export const resetStatements = (db: Db): Promise<number> => db.run(sql`select pg_stat_statements_reset()`)

/** Milliseconds of planning and executing since the last reset. @param pattern of the texts that count */
export const statementMs = (db: Db, pattern: string): Promise<number> =>
  db.value<number>(sql`
      select coalesce(sum(total_plan_time + total_exec_time), 0) as ms from pg_stat_statements
      where query ~ ${pattern} and query !~ 'pg_stat_statements'`)
