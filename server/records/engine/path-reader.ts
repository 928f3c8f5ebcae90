// Reads the rows of one access path.
import sql from 'sql-template-tag'
import type { IndexedAttribute } from '../../model/attributes/object-index.ts'
import type { AccessPath } from './plan/access-paths.ts'
import type { IndexCondition } from './sql/index-conditions.ts'
import type { IndexOnlyScan } from './sql/index-only-scan.ts'
import { firstIds } from './sql/offset-seek.ts'
import type { PageRequest } from './sql/page-request.ts'
import type { Indexes, PreparedFilter } from './sql/prepared-filters.ts'
import { type FoundRows, joined, NO_TOTAL, NOTHING, type RowSource } from './sql/row-source.ts'
import {
  fetchAndSort,
  firstKeyScan,
  fullScan,
  indexScan,
  keyScan,
  keysSkipped,
  nullScan,
  orderedScan,
} from './sql/scans.ts'
import { countOfAll } from './statistics.ts'
import { readUnfiltered } from './unfiltered-page.ts'

export type IndexedRequest = PageRequest & Indexes

/** A page request with the input that its access paths need. */
export interface PreparedPage {
  request: IndexedRequest
  prepared: readonly PreparedFilter[]
  indexOnly?: IndexOnlyScan | undefined
  isTotalAsked?: boolean
  /** How many records there are; undefined before it is read. */
  records?: number
}

/** Whether the page has only records without a value. */
const isOfNulls = ({ filters, position }: PageRequest, by: IndexedAttribute) =>
  position?.key === null ||
  filters.some(({ leaf }) => leaf?.operator === 'isEmpty' && leaf.attribute.slug === by.slug)

/** Reads the index rows of the attribute sorted by, then the records without a value. */
async function readKeys(
  source: RowSource,
  request: PageRequest,
  { by, bound }: { by: IndexedAttribute; bound: number | undefined },
): Promise<FoundRows> {
  const isAmongNulls = isOfNulls(request, by)
  const keyed = isAmongNulls ? NOTHING : await source.rows({ rows: keyScan(request, by, bound) })
  // A scan of index_missing has no bound. Instead, the next path finds everything.
  const isBounded = bound !== undefined && (!isAmongNulls || by.keepsMissing)
  if (keyed.records.length === request.rows || isBounded) return keyed
  const skipped =
    keyed.records.length > 0 || isAmongNulls || request.offset === 0
      ? request.offset * Number(!isAmongNulls)
      : await source.count(keysSkipped(request, by))
  const rest = { ...request, rows: request.rows - keyed.records.length, offset: request.offset - skipped }
  return joined(keyed, await source.rows({ rows: nullScan(rest, by, bound) }))
}

/**
 * Reads records with a value of the first of several attributes sorted by. If these do not fill the page, a scan of all
 * records also reads those without a value.
 */
async function readByFirstKey(
  source: RowSource,
  { request, prepared, isTotalAsked }: PreparedPage,
  { by, bound }: { by: IndexedAttribute; bound: number | undefined },
): Promise<FoundRows> {
  const { owner, rows, offset } = request
  const isUnfiltered = prepared.length === 0
  const total = isUnfiltered && isTotalAsked ? countOfAll(owner) : NO_TOTAL
  const read = bound ?? (isUnfiltered ? offset + rows : undefined)
  if (read !== undefined) {
    const found = await source.rows({ rows: firstKeyScan(request, by, read), total })
    if (found.records.length === rows || bound !== undefined) return found
  }
  return source.rows({ rows: fullScan(request), total })
}

function readHead(source: RowSource, { request, records }: PreparedPage, bound: number): Promise<FoundRows> {
  const total = records === undefined ? countOfAll(request.owner) : NO_TOTAL
  return source.rows({ rows: orderedScan(request, bound), total })
}

interface SinglePass {
  condition: IndexCondition
  bound: number | undefined
}

/**
 * Reads the page and the total of a filter that only index rows can count.
 * @returns no rows when more than `bound` records match
 */
async function readSinglePass(
  source: RowSource,
  { request, isTotalAsked }: PreparedPage,
  { condition, bound }: SinglePass,
): Promise<FoundRows> {
  const isBounded = bound !== undefined
  const ids = isBounded ? sql`select id from (${condition.ids}) as i limit ${bound + 1}` : condition.ids
  const all = sql`select id from matches`
  const shown = isBounded ? sql`${all} where (select count(*) from matches) <= ${bound}::int` : all
  const found = await source.rows({
    before: sql`with matches as materialized (${ids})`,
    total: isTotalAsked || isBounded ? sql`select count(*) from matches` : NO_TOTAL,
    rows: indexScan(request, { ...condition, ids: shown }, { isSufficient: true }),
  })
  if (!isBounded) return found
  return (found.total ?? 0) > bound ? NOTHING : { ...found, isWhole: true }
}

type IndexPath = Extract<AccessPath, { path: 'index_scan' | 'fetch_and_sort' | 'single_pass' }>

function readByIndex(source: RowSource, page: PreparedPage, path: IndexPath): Promise<FoundRows> {
  const { request, prepared } = page
  const condition = prepared[path.filter]?.indexCondition
  if (!condition) throw new Error('The planner chose an index condition that is not there')
  if (path.path === 'single_pass') return readSinglePass(source, page, { condition, bound: path.bound })
  const isSufficient = prepared.length === 1 && condition.isExact && request.order === 'id'
  if (path.path === 'index_scan')
    return source.rows({ rows: indexScan(request, condition, { bound: path.bound, isSufficient }) })
  if (!isSufficient) return source.rows({ rows: fetchAndSort(request, condition) })
  const ids = path.bound === undefined ? condition.ids : firstIds(request, condition, path.bound)
  return source.rows({ rows: indexScan(request, { ...condition, ids }, { isSufficient }) })
}

/** @returns the rows. For a head scan the total is the number of all records, unless that is known already */
export function readPath(source: RowSource, page: PreparedPage, path: AccessPath): Promise<FoundRows> {
  const { request, prepared, indexOnly, isTotalAsked = false } = page
  if (path.path === 'empty') return Promise.resolve(NOTHING)
  if (path.path === 'ordered_scan' && request.firstSortedBy)
    return readByFirstKey(source, page, { by: request.firstSortedBy, bound: path.bound })
  if (prepared.length === 0) return readUnfiltered(source, request, { path, isTotalAsked })
  switch (path.path) {
    case 'head_scan':
      return readHead(source, page, path.bound)
    case 'ordered_scan':
      if (request.sortedBy) return readKeys(source, request, { by: request.sortedBy, bound: path.bound })
      return source.rows({
        rows: request.order === 'none' ? fullScan(request) : orderedScan(request, path.bound),
      })
    case 'index_only_scan':
      if (!indexOnly) throw new Error('The planner chose an index-only scan that is not there')
      return source.rows(indexOnly.query())
    case 'index_scan':
    case 'fetch_and_sort':
    case 'single_pass':
      return readByIndex(source, page, path)
    default:
      return source.rows({ rows: fullScan(request) })
  }
}
