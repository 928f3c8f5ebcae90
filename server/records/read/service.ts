// Lists, searches and single reads: input → page query → JSON text.
import type { SearchExplanation } from '../../../contract/record-explanation.ts'
import type { RecordQuery, SearchBody } from '../../../contract/records.ts'
import type { Caller } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { type AskedPage, askedPage, type ListParams, paginationOf } from '../../http/paging.ts'
import { type ModelContext, type ObjectModel, withModel } from '../../model/attributes/models.ts'
import { selectPage } from '../engine/executor.ts'
import { explainPage } from '../engine/explain.ts'
import type { Page, PageQuery } from '../engine/page-query.ts'
import { type Shown, type ShownAs, shownAs } from '../expansion/paths.ts'
import { expandedJson, expandedRecord } from '../expansion/service.ts'
import { filtersOfSearch, readQueryFilters, readSearchFilters } from '../filters/input.ts'
import { conditionsOf, type RecordFilter } from '../filters/to-sql.ts'
import { cursorSeal, isKeyOf, querySort, type Sort, searchSort } from '../rows/sorting.ts'
import { recordJson, type StoredRecord } from '../rows/stored-record.ts'
import type { RecordReadContext } from './context.ts'
import { findRecord } from './find-record.ts'
import { isShared } from './page-batches.ts'
import { selectQuickPage } from './quick-page.ts'
import { type RecordOf, requireRecordId } from './record-of.ts'
import { findSuccessors, notFoundError } from './successor.ts'

/** Returns the winner for the id of a merged record. @throws 400 invalid_parameter, 404 not_found */
export function getRecord(
  ctx: RecordReadContext,
  caller: Caller,
  objectRef: string,
  { recordId, ...shown }: Shown & { recordId: string },
): Promise<RecordOf> {
  return withModel(ctx, caller.org, objectRef, async (whole) => {
    const as = await shownAs(ctx, caller, whole, shown)
    const { model, isWhole } = as
    const id = requireRecordId(recordId)
    // Only statements of a transaction see what it has written.
    const find = (one: string) =>
      ctx.db.inTransaction || !isWhole
        ? findRecord(ctx.db, model, one)
        : ctx.recordReads.find(ctx.db, model, one)
    const record = await find(id)
    if (record) return expandedRecord(ctx.db, caller, as, record)
    const successor = (await findSuccessors(ctx.db, model, [id])).get(id)
    const winner = successor && (await find(successor.id))
    if (!winner) throw notFoundError(successor)
    return { ...(await expandedRecord(ctx.db, caller, as, winner)), mergedInto: winner.id }
  })
}

interface PageInput extends ListParams {
  sort: Sort
  filters: readonly RecordFilter[]
}

type SealedQuery = PageQuery & AskedPage

/** @throws 400 invalid_parameter */
function pageQueryOf(model: ObjectModel, { filters, sort, ...params }: PageInput): SealedQuery {
  const seal = cursorSeal(model, sort, conditionsOf(filters))
  return { filters, sort, ...askedPage(params, { seal, isKey: isKeyOf(sort) }) }
}

function pageText(model: ObjectModel, query: SealedQuery, { records, total, next }: Page): string {
  const pagination = paginationOf(query, { shown: records.length, total, next })
  const texts = records.map((record) => recordJson(model, record)).join(',')
  return `{"records":[${texts}],"pagination":${JSON.stringify(pagination)}}`
}

/** A page as JSON text. */
interface ReadText {
  text: string
  records: readonly StoredRecord[]
}

/** JSON texts of pages that several requests share (page-batches.ts). */
const sharedTexts = new WeakMap<Page, string>()

/** Reads a page, if possible by a statement that it shares with pages of other requests. */
async function readPage(
  { db, pageReads }: RecordReadContext,
  { model, isWhole }: ShownAs,
  query: SealedQuery,
): Promise<ReadText> {
  const unbatched = () => selectPage(db, model, query)
  const isBatched = isWhole && !db.inTransaction && isShared(model, query)
  const { limit, count } = query
  const page = await (isBatched
    ? pageReads.read({ model, limit, count, scope: db.scope }, unbatched)
    : unbatched())
  const text = sharedTexts.get(page) ?? pageText(model, query, page)
  sharedTexts.set(page, text)
  return { text, records: page.records }
}

async function readQuickPage(
  ctx: RecordReadContext,
  { model }: ShownAs,
  query: SealedQuery,
): Promise<ReadText> {
  const { isComplete, searched, ...page } = await selectQuickPage(ctx, model, query)
  const found = JSON.stringify({ isComplete, ...(searched !== undefined && { searched }) })
  return { text: `${pageText(model, query, page).slice(0, -1)},${found.slice(1)}`, records: page.records }
}

async function withExpanded(
  db: Db,
  caller: Caller,
  { text, records, expansions }: ReadText & Pick<ShownAs, 'expansions'>,
): Promise<string> {
  const expanded = await expandedJson(db, caller, { records, expansions })
  return expanded === undefined ? text : `${text.slice(0, -1)},"expanded":${expanded}}`
}

/**
 * @param among a tree of filters that the caller does not choose
 * @returns JSON text shaped as contract/records.ts RecordList @throws 400 invalid_parameter, invalid_filter, 404
 */
export function listRecords(
  ctx: RecordReadContext,
  caller: Caller,
  objectRef: string,
  query: RecordQuery,
  among?: object,
): Promise<string> {
  const { limit, offset, cursor, count, sort = 'created_at', order } = query
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const shown = await shownAs(ctx, caller, model, query)
    const asked = await readQueryFilters(ctx, caller, model, query)
    const filters = [...asked, ...filtersOfSearch({ filter: among }, model, caller)]
    const sorted = querySort(model, { sort, order }, caller)
    const paged = pageQueryOf(model, { limit, offset, cursor, count, sort: sorted, filters })
    return withExpanded(ctx.db, caller, { ...(await readPage(ctx, shown, paged)), ...shown })
  })
}

/** @throws 400 invalid_filter, invalid_parameter */
async function searchQuery(
  ctx: ModelContext,
  model: ObjectModel,
  caller: Caller,
  body: SearchInput,
): Promise<SealedQuery> {
  const { filters, filter, q, sort, isQuick: _, fields: __, expand: ___, ...page } = body
  return pageQueryOf(model, {
    ...page,
    sort: searchSort(model, sort, caller),
    filters: await readSearchFilters(ctx, caller, model, { filters, filter, q }),
  })
}

/** Names of fields and references may be one text, as in a query string. */
type SearchInput = Omit<SearchBody, keyof Shown> & Shown

/** Like listRecords. */
export function searchRecords(
  ctx: RecordReadContext,
  caller: Caller,
  objectRef: string,
  body: SearchInput,
): Promise<string> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const shown = await shownAs(ctx, caller, model, body)
    const read = body.isQuick ? readQuickPage : readPage
    const page = await read(ctx, shown, await searchQuery(ctx, model, caller, body))
    return withExpanded(ctx.db, caller, { ...page, ...shown })
  })
}

/** Explains how the page and the total of a search are found. @throws the errors of searchRecords */
export function explainSearch(
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  body: SearchBody,
): Promise<SearchExplanation> {
  return withModel(ctx, caller.org, objectRef, async (model) =>
    explainPage(ctx.db, model, await searchQuery(ctx, model, caller, body)),
  )
}
