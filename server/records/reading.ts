// Lists, searches and single reads: input → page query → JSON text.
import { PAGE_LIMIT_DEFAULT } from '../../contract/limits.ts'
import type { SearchBody } from '../../contract/records.ts'
import { type ObjectModel, STALE, withModel } from '../attributes/models.ts'
import type { Caller, Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { decodeCursor, encodeCursor, refuseOffsetWith } from '../http/cursor.ts'
import { filtersOfQuery, filtersOfSearch } from './filter-input.ts'
import { conditionsOf, type RecordFilter } from './filters.ts'
import { selectPage } from './index/select-page.ts'
import type { ListQuery } from './list-query.ts'
import { type RecordOf, requireRecordId } from './service.ts'
import { cursorSeal, isKeyOf, type Order, sortOf } from './sorting.ts'
import { findRecord, type Page, recordJson } from './store.ts'

/** @throws 404 not_found */
export function getRecord(
  ctx: Context,
  caller: Caller,
  objectRef: string,
  recordId: string,
): Promise<RecordOf> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const record = await findRecord(ctx.db, model, requireRecordId(recordId))
    if (record === STALE) return STALE
    if (!record) throw notFound('record')
    return { model, record }
  })
}

interface PageInput {
  limit?: number
  offset?: number
  cursor?: string
  count?: boolean
  sort: { field: string; order: Order; path: string }
  filters: readonly RecordFilter[]
}

function pageJson(
  model: ObjectModel,
  page: Page,
  { limit, offset, nextCursor }: { limit: number; offset: number; nextCursor: string | undefined },
): string {
  const pagination = {
    ...(page.total !== undefined && { total: page.total }),
    limit,
    offset,
    ...(nextCursor && { nextCursor }),
  }
  const records = page.records.map((record) => recordJson(model, record)).join(',')
  return `{"records":[${records}],"pagination":${JSON.stringify(pagination)}}`
}

async function readPage(ctx: Context, model: ObjectModel, input: PageInput): Promise<string | typeof STALE> {
  const { limit = PAGE_LIMIT_DEFAULT, offset = 0, cursor, count = true, filters } = input
  refuseOffsetWith(cursor, offset)
  const sort = sortOf(model, input.sort)
  const seal = () => cursorSeal(model, sort, conditionsOf(filters))
  const position = cursor === undefined ? undefined : decodeCursor(cursor, seal(), isKeyOf(sort))
  const page = await selectPage(ctx.db, model, { filters, sort, position, limit, offset, count })
  if (page === STALE) return STALE
  return pageJson(model, page, { limit, offset, nextCursor: page.next && encodeCursor(seal(), page.next) })
}

/** @returns JSON text shaped as contract/records.ts RecordList @throws 400 invalid_parameter, invalid_filter, 404 */
export function listRecords(
  ctx: Context,
  caller: Caller,
  objectRef: string,
  query: ListQuery,
): Promise<string> {
  const { limit, offset, cursor, count, sort = 'created_at', order = 'desc', ...filters } = query
  return withModel(ctx, caller.org, objectRef, (model) =>
    readPage(ctx, model, {
      ...(limit !== undefined && { limit }),
      ...(offset !== undefined && { offset }),
      ...(cursor !== undefined && { cursor }),
      ...(count !== undefined && { count }),
      sort: { field: sort, order, path: 'sort' },
      filters: filtersOfQuery(filters, model, caller),
    }),
  )
}

/** As listRecords. */
export function searchRecords(
  ctx: Context,
  caller: Caller,
  objectRef: string,
  body: SearchBody,
): Promise<string> {
  const { filters, filter, sort, ...page } = body
  return withModel(ctx, caller.org, objectRef, (model) =>
    readPage(ctx, model, {
      ...page,
      sort: { field: sort?.field ?? 'created_at', order: sort?.order ?? 'desc', path: 'sort.field' },
      filters: filtersOfSearch({ ...(filters && { filters }), filter }, model, caller),
    }),
  )
}
