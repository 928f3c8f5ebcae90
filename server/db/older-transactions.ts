// Statements prove in their own snapshot that what they rest on is current. A transaction that proved it just
// before a change may still write afterwards: what a change leaves behind is removed once those have ended.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from './pool.ts'

/**
 * Is any transaction still open that began before `moment` (a timestamptz expression)?
 * Sees the transactions of this database role; every process of an installation uses the same one.
 */
export const hasOlderTransactions = (db: Db, moment: Sql): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and xact_start < ${moment}) as found`)
