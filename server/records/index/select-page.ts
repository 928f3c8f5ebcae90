// Pages of records: a large object is read by its index, a small one gone through.
import { type ObjectModel, STALE } from '../../attributes/models.ts'
import type { Db } from '../../db/pool.ts'
import { conditionsOf, type RecordFilter } from '../filters.ts'
import type { Sort } from '../sorting.ts'
import { type Page, type PageQuery, scanIds, scanPage } from '../store.ts'
import type { Indexed } from './measure.ts'
import { type Listener, selectIndexedPage } from './page.ts'

export const isIndexed = (model: ObjectModel): model is Indexed =>
  model.index?.state === 'ready' && model.index.isCounted

/**
 * @param tell hears of the ways to the page, where there are several
 * @returns STALE when the model is out of date: the statement answers no row then
 */
export const selectPage = (
  db: Db,
  model: ObjectModel,
  query: PageQuery,
  tell?: Listener,
): Promise<Page | typeof STALE> =>
  isIndexed(model) ? selectIndexedPage(db, model, query, tell) : scanPage(db, model, query)

/** @returns STALE, or the ids of the first records that match */
export async function selectIds(
  db: Db,
  model: ObjectModel,
  { filters, sort, limit }: { filters: readonly RecordFilter[]; sort: Sort; limit: number },
): Promise<string[] | typeof STALE> {
  // Records have indexes of their own in these orders.
  const isAlong = filters.length === 0 && (sort.key === undefined || sort.field === 'updated_at')
  if (!isIndexed(model) || isAlong) return scanIds(db, model, { filters: conditionsOf(filters), sort, limit })
  const query = { filters, sort, limit, position: undefined, offset: 0, count: false, idsAlone: true }
  const page = await selectIndexedPage(db, model, query)
  return page === STALE ? STALE : page.records.map(({ id }) => id)
}
