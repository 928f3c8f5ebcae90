// Statuses of runs that have not ended: as the indexes of open runs name them, so that statements find these.
import sql, { type Sql } from 'sql-template-tag'

export const OPEN: Sql = sql`('queued', 'running', 'waiting')`
