// Statuses of open runs, written as in the partial indexes, so that PostgreSQL uses these indexes.
import sql, { type Sql } from 'sql-template-tag'

export const OPEN: Sql = sql`('queued', 'running', 'waiting')`
