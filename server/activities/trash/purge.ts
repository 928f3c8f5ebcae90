// Deletes activities from the trash for good: on request, and when their time is over.
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import type { Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { inBatches, inTurns } from '../../jobs/jobs.ts'
import { isHere } from '../../placement/placement.ts'
import { purgeActivities } from './store.ts'

/** @returns its id @throws 404 not_found */
export async function purgeActivity({ db }: { db: Db }, { org }: Caller, id: string): Promise<string> {
  const row = sql`select t.id from trash_activities t where t.org = ${org} and t.id = ${id} for update`
  const [purged] = isUuid(id) ? await purgeActivities(db, org, row) : []
  if (purged === undefined) throw notFound('activity')
  return purged
}

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
    where exists (select from trash_activities t where t.org = o.org and t.deleted_at < d.before)
      and ${isHere(sql`o.org`)}
    order by o.org`)

/** @returns how many went: 0 when none is left */
async function purgeBatch(db: Db, { org, before }: Due): Promise<number> {
  const rows = sql`
    select t.id from trash_activities t where t.org = ${org} and t.deleted_at < ${before}
    order by t.deleted_at limit ${BATCH} for update skip locked`
  return (await purgeActivities(db, org, rows)).length
}

export async function purgeOldActivities(
  { db, log }: { db: Db; log: Logger },
  signal: AbortSignal,
  now: Date,
): Promise<void> {
  const failure = 'the deleted activities of an organization could not be purged'
  await inTurns(await selectDue(db, now), { log, signal, failure }, async (due, slice) => {
    await inBatches(slice, () => purgeBatch(db, due))
    return !slice.aborted
  })
}
