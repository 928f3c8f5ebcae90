// All records that meet filters, for what counts or groups the whole set: by the index rows of the filter that leaves
// fewest, or one record after the other where most are wanted anyway.
import sql, { join, type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { recordOf } from '../objects/record-lookup.ts'
import { conditionsOf, type RecordFilter } from '../records/filters/to-sql.ts'
import { accessPaths } from './planner.ts'
import { isIndexed } from './select-page.ts'
import { own } from './sql/scans.ts'
import {
  type Indexed,
  isCapped,
  type Prepared,
  prepare,
  readStatistics,
  type Statistics,
} from './statistics.ts'

/** Records `r` that meet all conditions, by a full scan. */
const recordsWhere = (model: ObjectModel, conditions: readonly Sql[]): Sql =>
  sql`select r.* from records r where ${join([own(model), ...conditions], ' and ')}`

/** As readStatistics, but counts on: where all are read, it matters how many more than a page they are. */
export async function readFullStatistics(
  db: Db,
  model: Indexed,
  prepared: readonly Prepared[],
): Promise<Statistics> {
  const statistics = await readStatistics(db, model, prepared)
  const estimates = [...statistics.estimates]
  for (const [place, one] of prepared.entries()) {
    const fact = estimates[place]
    if (!fact || !one.indexCondition || !isCapped(one, fact)) continue
    const { loose, ids } = one.indexCondition
    const { count } = await db.one<{ count: number }>(
      sql`select count(*) as count from (${loose ?? ids}) as i`,
    )
    estimates[place] = { ...fact, found: count }
  }
  return { ...statistics, estimates }
}

/**
 * A query of the records that meet all filters, in no order. To be run at once: what it is chosen by grows old, which
 * costs time, never records.
 * @throws StaleModel
 */
export async function matchingRecords(
  db: Db,
  model: ObjectModel,
  filters: readonly RecordFilter[],
): Promise<Sql> {
  const conditions = conditionsOf(filters)
  if (!isIndexed(model) || filters.length === 0) return recordsWhere(model, conditions)
  const prepared = prepare(model, filters)
  const statistics = await readFullStatistics(db, model, prepared)
  const { records, estimates } = statistics
  const [path] = accessPaths({ records, filters: estimates, order: 'none', until: records })
  const indexCondition = path?.path === 'fetch_and_sort' ? prepared[path.filter]?.indexCondition : undefined
  if (!indexCondition) return recordsWhere(model, conditions)
  return sql`
    select r.* from (${indexCondition.ids}) as i ${recordOf(model, sql`i.id`, { conditions })}`
}
