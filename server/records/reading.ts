// Lists, searches and single reads: input → page query → JSON text.
import { PAGE_LIMIT_DEFAULT } from '../../contract/limits.ts'
import type { SearchExplanation } from '../../contract/record-explanation.ts'
import type { RecordQuery, SearchBody } from '../../contract/records.ts'
import { type ObjectModel, withModel } from '../attributes/models.ts'
import type { Caller, Context } from '../context.ts'
import { decodeCursor, encodeCursor, refuseOffsetWith } from '../http/cursor.ts'
import { selectPage } from '../query-engine/executor.ts'
import { explainPage } from '../query-engine/explain.ts'
import { filtersOfQuery, filtersOfSearch, leavesOfQuery } from './filters/input.ts'
import { withFilterMembers } from './filters/named-members.ts'
import { conditionsOf, type RecordFilter } from './filters/to-sql.ts'
import { findSuccessors, goneError } from './merge/successor.ts'
import { isShared } from './page-batches.ts'
import { type RecordOf, requireRecordId } from './service.ts'
import { cursorSeal, isKeyOf, type Order, sortOf } from './sorting.ts'
import { findRecord, type Page, type PageQuery, recordJson } from './store.ts'

/** A record that was merged into another one answers as that one. @throws 404 not_found */
export function getRecord(
  ctx: Context,
  caller: Caller,
  objectRef: string,
  recordId: string,
): Promise<RecordOf> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const id = requireRecordId(recordId)
    // What a transaction has written is seen by its own statements alone.
    const find = (one: string) =>
      ctx.db.inTransaction ? findRecord(ctx.db, model, one) : ctx.recordReads.find(ctx.db, model, one)
    const record = await find(id)
    if (record) return { model, record }
    const successor = (await findSuccessors(ctx.db, model, [id])).get(id)
    const winner = successor && (await find(successor.id))
    if (!winner) throw goneError(successor)
    return { model, record: winner, mergedInto: winner.id }
  })
}

export interface PageInput {
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

const sealOf = (model: ObjectModel, { sort, filters }: PageQuery) =>
  cursorSeal(model, sort, conditionsOf(filters))

/** @throws 400 invalid_parameter */
export function pageQueryOf(model: ObjectModel, input: PageInput): PageQuery {
  const { limit = PAGE_LIMIT_DEFAULT, offset = 0, cursor, count = true, filters } = input
  refuseOffsetWith(cursor, offset)
  const query = { filters, sort: sortOf(model, input.sort), position: undefined, limit, offset, count }
  if (cursor === undefined) return query
  return { ...query, position: decodeCursor(cursor, sealOf(model, query), isKeyOf(query.sort)) }
}

/** @returns undefined where the page is to be read by itself */
const readWithOthers = ({ db, pageReads }: Context, model: ObjectModel, query: PageQuery) =>
  db.inTransaction || !isShared(model, query)
    ? undefined
    : pageReads.read({ model, limit: query.limit, count: query.count, scope: db.scope })

function pageText(model: ObjectModel, query: PageQuery, page: Page): string {
  const nextCursor = page.next && encodeCursor(sealOf(model, query), page.next)
  return pageJson(model, page, { limit: query.limit, offset: query.offset, nextCursor })
}

/** Texts of pages that several requests share (page-batches.ts). */
const sharedTexts = new WeakMap<Page, string>()

function sharedText(model: ObjectModel, query: PageQuery, page: Page): string {
  const text = sharedTexts.get(page) ?? pageText(model, query, page)
  sharedTexts.set(page, text)
  return text
}

async function readPage(ctx: Context, model: ObjectModel, input: PageInput): Promise<string> {
  const query = pageQueryOf(model, input)
  const shared = await readWithOthers(ctx, model, query)
  if (shared) return sharedText(model, query, shared)
  return pageText(model, query, await selectPage(ctx.db, model, query))
}

/** @returns JSON text shaped as contract/records.ts RecordList @throws 400 invalid_parameter, invalid_filter, 404 */
export function listRecords(
  ctx: Context,
  caller: Caller,
  objectRef: string,
  query: RecordQuery,
): Promise<string> {
  const {
    limit,
    offset,
    cursor,
    count,
    consistency: _,
    sort = 'created_at',
    order = 'desc',
    ...filters
  } = query
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const leaves = leavesOfQuery(filters).map(({ leaf }) => leaf)
    const asking = await withFilterMembers(ctx.db, caller, model, leaves)
    return readPage(ctx, model, {
      ...(limit !== undefined && { limit }),
      ...(offset !== undefined && { offset }),
      ...(cursor !== undefined && { cursor }),
      ...(count !== undefined && { count }),
      sort: { field: sort, order, path: 'sort' },
      filters: filtersOfQuery(filters, model, asking),
    })
  })
}

/** @throws 400 invalid_filter */
async function searchInput(
  { db }: Pick<Context, 'db'>,
  model: ObjectModel,
  caller: Caller,
  body: SearchBody,
): Promise<PageInput> {
  const { filters, filter, q, sort, ...page } = body
  const asked = { ...(filters && { filters }), filter }
  const asking = await withFilterMembers(db, caller, model, asked)
  return {
    ...page,
    sort: { field: sort?.field ?? 'created_at', order: sort?.order ?? 'desc', path: 'sort.field' },
    filters: filtersOfSearch({ ...asked, q }, model, asking),
  }
}

/** As listRecords. */
export function searchRecords(
  ctx: Context,
  caller: Caller,
  objectRef: string,
  body: SearchBody,
): Promise<string> {
  return withModel(ctx, caller.org, objectRef, async (model) =>
    readPage(ctx, model, await searchInput(ctx, model, caller, body)),
  )
}

/** Explains how the page and the total of a search are found. @throws what searchRecords throws */
export function explainSearch(
  ctx: Pick<Context, 'db' | 'models'>,
  caller: Caller,
  objectRef: string,
  body: SearchBody,
): Promise<SearchExplanation> {
  return withModel(ctx, caller.org, objectRef, async (model) =>
    explainPage(ctx.db, model, pageQueryOf(model, await searchInput(ctx, model, caller, body))),
  )
}
