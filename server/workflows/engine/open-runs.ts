// Statuses of runs that have not ended, written as in the partial indexes of open runs, so that PostgreSQL uses
// those.
import sql, { type Sql } from 'sql-template-tag'

export const OPEN: Sql = sql`('queued', 'running', 'waiting')`
