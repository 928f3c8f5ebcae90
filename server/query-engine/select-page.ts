// Pages of records: a large object is read by the query engine, a small one by a full scan.
import type { ObjectModel } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { conditionsOf, type RecordFilter } from '../records/filters/to-sql.ts'
import type { Sort } from '../records/sorting.ts'
import { type Page, type PageQuery, scanIds, scanPage } from '../records/store.ts'
import { selectIndexedPage } from './executor.ts'
import type { PagePlan } from './page-plan.ts'
import type { Indexed } from './statistics.ts'

export const isIndexed = (model: ObjectModel): model is Indexed =>
  model.index?.state === 'ready' && model.index.isCounted

/**
 * @param plan gets the paths to the page, where the object has an index
 * @throws StaleModel
 */
export const selectPage = (db: Db, model: ObjectModel, query: PageQuery, plan?: PagePlan): Promise<Page> =>
  isIndexed(model) ? selectIndexedPage(db, model, query, plan) : scanPage(db, model, query)

/** @returns the ids of the first records that match */
export async function selectIds(
  db: Db,
  model: ObjectModel,
  { filters, sort, limit }: { filters: readonly RecordFilter[]; sort: Sort; limit: number },
): Promise<string[]> {
  // Records have indexes of their own in these orders.
  const isAlong = filters.length === 0 && (sort.key === undefined || sort.field === 'updated_at')
  if (!isIndexed(model) || isAlong) return scanIds(db, model, { filters: conditionsOf(filters), sort, limit })
  const query = { filters, sort, limit, position: undefined, offset: 0, count: false, idsAlone: true }
  const page = await selectIndexedPage(db, model, query)
  return page.records.map(({ id }) => id)
}
