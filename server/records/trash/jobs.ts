// Deletes records from the trash after the retention period, in batches for each organization.
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { inBatches, inTurns } from '../../jobs/jobs.ts'
import { deleteMerges, purgeTrash } from '../../model/objects/trash-rows.ts'
import { isHere } from '../../placement/placement.ts'

const BATCH = 1000

interface Due {
  org: number
  before: Date
}

/** Skips organizations whose data is in another cell. */
const selectDue = (db: Db, now: Date) =>
  db.many<Due>(sql`
    select o.org, d.before from organizations o
    cross join lateral (select ${now}::timestamptz - make_interval(days => o.trash_days) as before) as d
    where (exists (select from trash t where t.org = o.org and t.deleted_at < d.before)
        or exists (select from merges m where m.org = o.org and m.merged_at < d.before))
      and ${isHere(sql`o.org`)}
    order by o.org`)

/** @returns the number of deleted rows; 0 if none is left */
const purgeMerges = (db: Db, { org, before }: Due): Promise<number> =>
  deleteMerges(db, sql`m.org = ${org} and m.merged_at < ${before}`)

/** @returns the number of deleted rows; 0 if none is left */
async function purgeBatch(db: Db, { org, before }: Due): Promise<number> {
  const rows = sql`
    select t.id from trash t where t.org = ${org} and t.deleted_at < ${before} order by t.deleted_at limit ${BATCH}
    for update skip locked`
  return (await purgeTrash(db, org, rows)).removed
}

export async function purgeOldTrash(
  { db, log }: { db: Db; log: Logger },
  signal: AbortSignal,
  now: Date,
): Promise<void> {
  const failure = 'the trash of an organization could not be purged'
  await inTurns(await selectDue(db, now), { log, signal, failure }, async (due, slice) => {
    await inBatches(slice, () => purgeBatch(db, due))
    await inBatches(slice, () => purgeMerges(db, due))
    return !slice.aborted
  })
}
