// All objects with their sizes. Objects without counters are counted record by record. The count has one second, and is
// omitted if it takes longer.
import sql from 'sql-template-tag'
import type { ObjectOverview } from '../../../contract/object-overview.ts'
import type { CrmObject } from '../../../contract/objects.ts'
import type { Db } from '../../db/pool.ts'
import { withinMs } from '../../db/time-limit.ts'
import { recordCount } from './record-count.ts'
import { objectColumns, selectObjects } from './store.ts'

const COUNT_MS = 1000

type WithAttributes = CrmObject & { attributeCount: number }

/** Objects that are not deleted, oldest first. */
const selectAllObjects = (db: Db, org: number) =>
  db.many<WithAttributes>(sql`
    select ${objectColumns}, (
      select count(*) from attributes a where a.org = o.org and a.obj = o.obj and a.deleted_at is null) as "attributeCount"
    from objects o where o.org = ${org} and o.deleted_at is null order by o.created_at, o.obj`)

const countRecords = (db: Db, org: number) =>
  db.many<{ objectId: string; total: number }>(sql`
    select o.id as "objectId", ${recordCount} as total
    from objects o where o.org = ${org} and o.deleted_at is null`)

async function totalsOf({ db }: { db: Db }, org: number): Promise<Map<string, number>> {
  const counts = await withinMs(db, COUNT_MS, (tx) => countRecords(tx, org))
  return new Map(counts?.map(({ objectId, total }) => [objectId, total]))
}

/** Includes inactive objects. */
export async function listAllObjects(ctx: { db: Db }, org: number): Promise<ObjectOverview[]> {
  const objects = await selectAllObjects(ctx.db, org)
  const totals = await totalsOf(ctx, org)
  return objects.map((object) => ({ ...object, recordCount: totals.get(object.id) ?? null }))
}

/** Record counts of active objects; null if counting took too long. */
export async function recordTotals(
  ctx: { db: Db },
  org: number,
): Promise<{ objectId: string; total: number | null }[]> {
  const objects = await selectObjects(ctx.db, org)
  const totals = await totalsOf(ctx, org)
  return objects.map(({ id }) => ({ objectId: id, total: totals.get(id) ?? null }))
}
