// Deletes rows of a trash after the retention period of their organization.
import type { Logger } from 'pino'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { inBatches, inTurns } from '../../jobs/jobs.ts'
import { isHere } from '../../placement/placement.ts'

export interface Due {
  org: number
  /** Rows that were deleted before this time are due. */
  before: Date
}

/** Organizations with rows that are due. Skips organizations whose data is in another cell. */
const selectDue = (db: Db, table: Sql, now: Date) =>
  db.many<Due>(sql`
    select o.org, d.before from organizations o
    cross join lateral (select ${now}::timestamptz - make_interval(days => o.trash_days) as before) as d
    where exists (select from ${table} t where t.org = o.org and t.deleted_at < d.before)
      and ${isHere(sql`o.org`)}
    order by o.org`)

interface Trash {
  /** A table with `org` and `deleted_at`, and an index on both. */
  table: Sql
  /** The log message of a failure. */
  failure: string
  /** @returns the number of deleted rows; 0 if none is left */
  purgeBatch(due: Due): Promise<number>
}

export async function purgeByOrganization(
  { db, log }: { db: Db; log: Logger },
  { table, failure, purgeBatch }: Trash,
  { signal, now }: { signal: AbortSignal; now: Date },
): Promise<void> {
  await inTurns(await selectDue(db, table, now), { log, signal, failure }, async (due, slice) => {
    await inBatches(slice, () => purgeBatch(due))
    return !slice.aborted
  })
}
