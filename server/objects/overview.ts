// All objects with their sizes. What has no counters yet is counted record by record: that is given a second, and left
// out beyond.
import type { ObjectOverview } from '../../contract/object-overview.ts'
import type { Db } from '../db/pool.ts'
import { withinMs } from '../db/time-limit.ts'
import { countRecords, selectAllObjects } from './overview-store.ts'
import { selectObjects } from './store.ts'

const COUNT_MS = 1000

async function totalsOf({ db }: { db: Db }, org: number): Promise<Map<string, number>> {
  const counts = await withinMs(db, COUNT_MS, (tx) => countRecords(tx, org))
  return new Map(counts?.map(({ objectId, total }) => [objectId, total]))
}

/** Inactive objects too. */
export async function listAllObjects(ctx: { db: Db }, org: number): Promise<ObjectOverview[]> {
  const objects = await selectAllObjects(ctx.db, org)
  const totals = await totalsOf(ctx, org)
  return objects.map((object) => ({ ...object, recordCount: totals.get(object.id) ?? null }))
}

/** Of active objects; null where counting took too long. */
export async function recordTotals(
  ctx: { db: Db },
  org: number,
): Promise<{ objectId: string; total: number | null }[]> {
  const objects = await selectObjects(ctx.db, org)
  const totals = await totalsOf(ctx, org)
  return objects.map(({ id }) => ({ objectId: id, total: totals.get(id) ?? null }))
}
