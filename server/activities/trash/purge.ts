// Deletes activities from the trash permanently: on request, and when their time is over.
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import type { Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { type Due, purgeByOrganization } from '../../records/trash/purge-by-organization.ts'
import { purgeActivities } from './store.ts'

/** @returns its id @throws 404 not_found */
export async function purgeActivity({ db }: { db: Db }, { org }: Caller, id: string): Promise<string> {
  const row = sql`select t.id from trash_activities t where t.org = ${org} and t.id = ${id} for update`
  const [purged] = isUuid(id) ? await purgeActivities(db, org, row) : []
  if (purged === undefined) throw notFound('activity')
  return purged
}

const BATCH = 1000

/** @returns the number of deleted activities; 0 when none is left */
async function purgeBatch(db: Db, { org, before }: Due): Promise<number> {
  const rows = sql`
    select t.id from trash_activities t where t.org = ${org} and t.deleted_at < ${before}
    order by t.deleted_at limit ${BATCH} for update skip locked`
  return (await purgeActivities(db, org, rows)).length
}

export const purgeOldActivities = (
  ctx: { db: Db; log: Logger },
  signal: AbortSignal,
  now: Date,
): Promise<void> =>
  purgeByOrganization(
    ctx,
    {
      table: sql`trash_activities`,
      failure: 'the deleted activities of an organization could not be purged',
      purgeBatch: (due) => purgeBatch(ctx.db, due),
    },
    { signal, now },
  )
