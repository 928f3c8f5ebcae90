// Deletes records from the trash when their time is over, one batch of each organization after the other.
import sql from 'sql-template-tag'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { roundRobin } from '../../jobs/jobs.ts'

const BATCH = 1000
/** How long one organization is worked on before the next. */
const SLICE_MS = 5000

/** While one is moved, those in the cell that has it. */
const selectDue = (db: Db, now: Date) =>
  db.many<{ org: number; before: Date }>(sql`
    select o.org, d.before from organizations o
    cross join lateral (select ${now}::timestamptz - make_interval(days => o.trash_days) as before) as d
    where exists (select from trash t where t.org = o.org and t.deleted_at < d.before)
      and not exists (
        select from organization_moves m where m.org = o.org and m.state in ('hidden', 'closed', 'left'))
    order by o.org`)

const purgeBatch = (db: Db, { org, before }: { org: number; before: Date }): Promise<number> =>
  db.value<number>(sql`
    with gone as (
      delete from trash t where t.org = ${org} and t.id = any(array(
        select d.id from trash d where d.org = ${org} and d.deleted_at < ${before} order by d.deleted_at limit ${BATCH}
        for update skip locked))
      returning t.id),
    links_gone as (delete from trash_links l using gone where l.org = ${org} and l.target = gone.id),
    files_gone as (delete from trash_files f using gone where f.org = ${org} and f.record_id = gone.id)
    select count(*) from gone`)

export async function purgeOldTrash({ db }: Context, signal: AbortSignal, now: Date): Promise<void> {
  const due = await selectDue(db, now)
  await roundRobin(due, { sliceMs: SLICE_MS, signal }, async (one, slice) => {
    for (let purged = BATCH; purged === BATCH && !slice.aborted; ) purged = await purgeBatch(db, one)
    return !slice.aborted
  })
}
