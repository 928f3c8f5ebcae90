// A query of all records that match filters, for counts and groups. It reads the index rows of the most selective
// filter, or scans the object if most records match.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { recordOf } from '../../model/objects/record-lookup.ts'
import { conditionsOf, type RecordFilter } from '../filters/to-sql.ts'
import type { ObjectScope } from './index/counter-changes.ts'
import { accessPaths } from './plan/planner.ts'
import { ofOwner } from './sql/page-request.ts'
import { type PreparedFilter, prepareFilters } from './sql/prepared-filters.ts'
import { type RowSource, rowSource } from './sql/row-source.ts'
import { isIndexed, readStatistics, type Statistics } from './statistics.ts'

/** Records `r` that meet all conditions, by a full scan. */
const recordsWhere = (model: ObjectModel, conditions: readonly Sql[]): Sql =>
  sql`select r.* from records r where ${join([ofOwner(model), ...conditions], ' and ')}`

/** Like readStatistics, but without COUNT_CAP: the caller reads all matches, so it matters how many there are. */
export async function readFullStatistics(
  source: RowSource,
  owner: ObjectScope,
  prepared: readonly PreparedFilter[],
): Promise<Statistics> {
  const statistics = await readStatistics(source, owner, prepared)
  const estimates = [...statistics.estimates]
  for (const [place, { indexCondition }] of prepared.entries()) {
    const estimate = estimates[place]
    if (!estimate?.isCapped || !indexCondition) continue
    const { streamedIds = indexCondition.ids } = indexCondition
    const found = await source.count(sql`select count(*) as count from (${streamedIds}) as i`)
    estimates[place] = { ...estimate, found, isCapped: false }
  }
  return { ...statistics, estimates }
}

/**
 * A query of the records that match all filters, in no particular order. Run it soon: with stale statistics it takes
 * longer, with the same result.
 * @throws StaleModel
 */
export async function matchingRecords(
  db: Db,
  model: ObjectModel,
  filters: readonly RecordFilter[],
): Promise<Sql> {
  const conditions = conditionsOf(filters)
  if (!isIndexed(model) || filters.length === 0) return recordsWhere(model, conditions)
  const { org, obj, index } = model
  const owner = { org, obj }
  const prepared = prepareFilters({ owner, index }, filters)
  const { records, estimates } = await readFullStatistics(rowSource(db, model), owner, prepared)
  const [path] = accessPaths({ records, filters: estimates, order: 'none', until: records })
  const indexCondition = path?.path === 'fetch_and_sort' ? prepared[path.filter]?.indexCondition : undefined
  if (!indexCondition) return recordsWhere(model, conditions)
  return sql`
    select r.* from (${indexCondition.ids}) as i ${recordOf(model, sql`i.id`, { conditions })}`
}
