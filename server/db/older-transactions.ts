// Statements check in their own snapshot that their assumptions are current. A transaction that checked just before a
// change may still write after it. So data that a change leaves behind is removed after those transactions have ended.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from './pool.ts'

/**
 * Whether a transaction is open that began before `time` (a timestamptz expression).
 * Sees only transactions of this database role, which all processes of an installation use.
 */
export const hasOlderTransactions = (db: Db, time: Sql): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and xact_start < ${time}) as found`)
