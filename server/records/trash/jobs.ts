// Deletes records from the trash when their time is over, one batch of each organization after the other.
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

/** While one is moved, those in the cell that has it. */
const selectDue = (db: Db, now: Date) =>
  db.many<Due>(sql`
    select o.org, d.before from organizations o
    cross join lateral (select ${now}::timestamptz - make_interval(days => o.trash_days) as before) as d
    where (exists (select from trash t where t.org = o.org and t.deleted_at < d.before)
        or exists (select from merges m where m.org = o.org and m.merged_at < d.before))
      and ${isHere(sql`o.org`)}
    order by o.org`)

/** @returns how many rows went: 0 when none is left */
const purgeMerges = (db: Db, { org, before }: Due): Promise<number> =>
  deleteMerges(db, sql`m.org = ${org} and m.merged_at < ${before}`)

/** @returns how many rows went: 0 when none is left */
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
