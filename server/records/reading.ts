// Lists, searches and single reads: input → page query → JSON text.
import type { SearchExplanation } from '../../contract/record-explanation.ts'
import type { RecordQuery, SearchBody } from '../../contract/records.ts'
import { type ModelContext, type ObjectModel, withModel } from '../attributes/models.ts'
import type { Caller } from '../caller.ts'
import type { Db } from '../db/pool.ts'
import { type AskedPage, askedPage, type ListParams, paginationOf } from '../http/paging.ts'
import { selectPage } from '../query-engine/executor.ts'
import { explainPage } from '../query-engine/explain.ts'
import type { RecordContext } from './context.ts'
import { filtersOfQuery, filtersOfSearch, leavesOfQuery } from './filters/input.ts'
import { withFilterMembers } from './filters/named-members.ts'
import { conditionsOf, type RecordFilter } from './filters/to-sql.ts'
import { findSuccessors, goneError } from './merge/successor.ts'
import { isShared } from './page-batches.ts'
import { selectQuickPage } from './quick-page.ts'
import { type RecordOf, requireRecordId } from './service.ts'
import { type AskedSort, cursorSeal, isKeyOf, sortOf } from './sorting.ts'
import { findRecord, type Page, type PageQuery, recordJson } from './store.ts'

/** A record that was merged into another one answers as that one. @throws 404 not_found */
export function getRecord(
  ctx: RecordContext,
  caller: Caller,
  objectRef: string,
  recordId: string,
): Promise<RecordOf> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const id = requireRecordId(recordId)
    // What a transaction has written is seen by its own statements only.
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

export interface PageInput extends ListParams {
  sort: AskedSort
  filters: readonly RecordFilter[]
}

type SealedQuery = PageQuery & AskedPage

/** @throws 400 invalid_parameter */
export function pageQueryOf(model: ObjectModel, { filters, sort: asked, ...params }: PageInput): SealedQuery {
  const sort = sortOf(model, asked)
  const seal = cursorSeal(model, sort, conditionsOf(filters))
  return { filters, sort, ...askedPage(params, { seal, isKey: isKeyOf(sort) }) }
}

/** With others where that is possible. */
function selectShared({ db, pageReads }: RecordContext, model: ObjectModel, query: PageQuery): Promise<Page> {
  const unbatched = () => selectPage(db, model, query)
  if (db.inTransaction || !isShared(model, query)) return unbatched()
  return pageReads.read({ model, limit: query.limit, count: query.count, scope: db.scope }, unbatched)
}

function pageText(model: ObjectModel, query: SealedQuery, { records, total, next }: Page): string {
  const pagination = paginationOf(query, { shown: records.length, total, next })
  const texts = records.map((record) => recordJson(model, record)).join(',')
  return `{"records":[${texts}],"pagination":${JSON.stringify(pagination)}}`
}

/** Texts of pages that several requests share (page-batches.ts). */
const sharedTexts = new WeakMap<Page, string>()

function sharedText(model: ObjectModel, query: SealedQuery, page: Page): string {
  const text = sharedTexts.get(page) ?? pageText(model, query, page)
  sharedTexts.set(page, text)
  return text
}

async function readQuickPage(ctx: RecordContext, model: ObjectModel, input: PageInput): Promise<string> {
  const query = pageQueryOf(model, input)
  const { isComplete, searched, ...page } = await selectQuickPage(ctx, model, query)
  const found = JSON.stringify({ isComplete, ...(searched !== undefined && { searched }) })
  return `${pageText(model, query, page).slice(0, -1)},${found.slice(1)}`
}

async function readPage(ctx: RecordContext, model: ObjectModel, input: PageInput): Promise<string> {
  const query = pageQueryOf(model, input)
  return sharedText(model, query, await selectShared(ctx, model, query))
}

/** @returns JSON text shaped as contract/records.ts RecordList @throws 400 invalid_parameter, invalid_filter, 404 */
export function listRecords(
  ctx: RecordContext,
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
      ...{ limit, offset, cursor, count },
      sort: { field: sort, order, path: 'sort', asking: caller },
      filters: filtersOfQuery(filters, model, asking),
    })
  })
}

/** @throws 400 invalid_filter */
async function searchInput(
  { db }: { db: Db },
  model: ObjectModel,
  caller: Caller,
  body: SearchBody,
): Promise<PageInput> {
  const { filters, filter, q, sort, isQuick: _, ...page } = body
  const asked = { ...(filters && { filters }), filter }
  const asking = await withFilterMembers(db, caller, model, asked)
  return {
    ...page,
    sort: {
      field: sort?.field ?? 'created_at',
      order: sort?.order ?? 'desc',
      path: 'sort.field',
      asking: caller,
    },
    filters: filtersOfSearch({ ...asked, q }, model, asking),
  }
}

/** As listRecords. */
export function searchRecords(
  ctx: RecordContext,
  caller: Caller,
  objectRef: string,
  body: SearchBody,
): Promise<string> {
  return withModel(ctx, caller.org, objectRef, async (model) =>
    (body.isQuick ? readQuickPage : readPage)(ctx, model, await searchInput(ctx, model, caller, body)),
  )
}

/** Explains how the page and the total of a search are found. @throws what searchRecords throws */
export function explainSearch(
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  body: SearchBody,
): Promise<SearchExplanation> {
  return withModel(ctx, caller.org, objectRef, async (model) =>
    explainPage(ctx.db, model, pageQueryOf(model, await searchInput(ctx, model, caller, body))),
  )
}
