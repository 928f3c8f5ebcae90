// Queries of all records that match filters, in the order of a sort, for callers that read all of them.
import type { Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { plannerInput, preparePage } from './executor.ts'
import { readFullStatistics } from './matching-records.ts'
import type { PageQuery } from './page-query.ts'
import { accessPaths } from './plan/planner.ts'
import { orderOf, type PageRequest } from './sql/page-request.ts'
import { rowSource } from './sql/row-source.ts'
import { fetchAndSort, fullScan, indexScan, keyScan, nullScan } from './sql/scans.ts'
import { type Indexed, isIndexed } from './statistics.ts'

/** A limit that no list reaches. */
const ALL = Number.MAX_SAFE_INTEGER

type ListRequest = Pick<PageQuery, 'filters' | 'sort'>

const wholeList = ({ filters, sort }: ListRequest) => ({
  filters,
  sort,
  position: undefined,
  limit: ALL - 1,
  offset: 0,
  count: false,
})

async function indexedStreams(db: Db, model: Indexed, list: ListRequest): Promise<Sql[]> {
  const page = preparePage(model, wholeList(list))
  const { request, prepared } = page
  const statistics = await readFullStatistics(rowSource(db, model), request.owner, prepared)
  // The last path finds everything.
  const path = accessPaths(plannerInput(page, statistics)).at(-1)
  if (path?.path === 'empty') return []
  const indexCondition = path && 'filter' in path ? prepared[path.filter]?.indexCondition : undefined
  if (path?.path === 'index_scan' && indexCondition)
    return [
      indexScan(request, indexCondition, { isSufficient: prepared.length === 1 && indexCondition.isExact }),
    ]
  if (indexCondition) return [fetchAndSort(request, indexCondition)]
  const { sortedBy } = request
  return sortedBy ? [keyScan(request, sortedBy, undefined), nullScan(request, sortedBy)] : [fullScan(request)]
}

/**
 * Queries of id, updated_at, version and data. Their rows, one query after the other, are the matching records in
 * order. If an index has the order, rows are returned as they are read. Otherwise PostgreSQL sorts them first.
 * @param db a transaction of one snapshot @throws StaleModel
 */
export async function recordStreams(db: Db, model: ObjectModel, list: ListRequest): Promise<Sql[]> {
  if (isIndexed(model)) return indexedStreams(db, model, list)
  const { position, ...query } = wholeList(list)
  const owner = { org: model.org, obj: model.obj }
  const order = orderOf(query.sort, undefined)
  const request: PageRequest = { ...query, owner, position, rows: ALL, sortedBy: undefined, order }
  return [fullScan(request)]
}
