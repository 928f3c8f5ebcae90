// Reads a page and its total: reads statistics, lets the planner list access paths, and tries these in order.

import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import type { IndexedAttribute } from '../../model/attributes/object-index.ts'
import { conditionsOf, type RecordFilter } from '../filters/to-sql.ts'
import { LongPage } from '../rows/page-lines.ts'
import { partsOfKey, type Sort } from '../rows/sorting.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import { scanIds, scanPage } from './full-scan.ts'
import { isMultiValue } from './index/index-keys.ts'
import type { Page, PageQuery } from './page-query.ts'
import { type IndexedRequest, type PreparedPage, readPath } from './path-reader.ts'
import type { AccessPath, PlannerInput } from './plan/access-paths.ts'
import { countPlan } from './plan/count.ts'
import { accessPaths, extendedHeadScan, findsAll, isNothing, pathsBeforeStatistics } from './plan/planner.ts'
import { countQuery } from './sql/count-query.ts'
import { indexOnlyScanOf } from './sql/index-only-scan.ts'
import { orderOf } from './sql/page-request.ts'
import { prepareFilters } from './sql/prepared-filters.ts'
import { type FoundRows, NOTHING, type RowSource, rowSource } from './sql/row-source.ts'
import { assumedStatistics, type Indexed, isIndexed, readStatistics, type Statistics } from './statistics.ts'

/** The access paths of a page in order, and whether the executor has tried each. */
export type PagePlan = { path: AccessPath; isTaken: boolean }[]

/** Types with few different values: fetching all records with one value takes longer than a full scan. */
const FEW_VALUES: ReadonlySet<AttributeType> = new Set<AttributeType>(['select', 'checkbox'])

/** The index of the first attribute sorted by. With several, no index has the order of records without its value. */
const sortIndex = ({ index }: Indexed, { sort, position }: PageQuery): IndexedAttribute | undefined => {
  const { keys } = sort
  const indexed = index.attributes.get(keys?.[0]?.field ?? sort.field)
  if (!sort.key || indexed?.state !== 'ready' || isMultiValue(indexed)) return undefined
  if (!keys) return indexed
  const isAmongNulls = position !== undefined && partsOfKey(position.key)[0] === null
  return FEW_VALUES.has(indexed.type) || isAmongNulls ? undefined : indexed
}

/** The page with what index rows and counters give for its filters. */
export function preparePage(model: Indexed, query: PageQuery): PreparedPage {
  const { filters, sort, position, offset, idsOnly, limit } = query
  const { org, obj, index } = model
  const indexes = { owner: { org, obj }, index }
  const by = sortIndex(model, query)
  const page = {
    ...{ sort, order: orderOf(sort, by), position, offset, rows: limit + 1 },
    ...(sort.keys ? { sortedBy: undefined, firstSortedBy: by } : { sortedBy: by }),
  }
  return {
    request: { ...indexes, ...page, filters, idsOnly },
    prepared: prepareFilters(indexes, filters),
    isTotalAsked: query.count,
  }
}

const alternatives = ({ any }: RecordFilter): number =>
  any ? any.reduce((count, one) => count + alternatives(one), 0) : 1

export function plannerInput(
  { request, prepared, indexOnly, isTotalAsked = false }: PreparedPage,
  { records, estimates }: Statistics,
): PlannerInput {
  const { order, sortedBy, offset, rows } = request
  const counting = sortedBy?.counting
  return {
    records,
    filters: estimates,
    order,
    until: offset + rows,
    offset,
    hasHistogram: order !== 'key' || counting === 'values' || counting === 'ranges',
    isTotalAsked,
    comparisons: Math.max(1, ...prepared.map(({ filter }) => alternatives(filter))),
    indexOnly: indexOnly?.reads,
  }
}

/** Average length of the values that a search found; 0 when there are several filters. */
function averageLength({ filters }: IndexedRequest, found: readonly StoredRecord[]): number {
  const [slug, ...others] = filters.map(({ leaf }) => leaf?.attribute.slug)
  if (slug === undefined || others.length > 0 || found.length === 0) return 0
  const texts = found.map(({ data }) => String((JSON.parse(data) as Record<string, unknown>)[slug]))
  return texts.reduce((length, text) => length + text.length, 0) / texts.length
}

/**
 * A second head scan after one that did not fill the page. Its size depends on the selectivity that the first one
 * showed.
 */
function extension(page: PreparedPage, input: PlannerInput, bound: number, found: FoundRows) {
  const matches = page.request.offset + found.records.length
  const characters = averageLength(page.request, found.records)
  return extendedHeadScan(
    { ...input, records: page.records ?? found.total ?? 0 },
    { matches, bound, characters },
  )
}

interface Trial {
  input: PlannerInput
  paths: readonly AccessPath[]
  /** How many records there are from the offset on, if known. */
  left?: number
  plan: PagePlan
}

/**
 * Appends the paths to the plan and tries them in order, until one fills the page.
 * @returns undefined when no path fills the page and none of them finds everything
 */
async function tryPaths(
  source: RowSource,
  page: PreparedPage,
  { input, paths, left = Number.POSITIVE_INFINITY, plan }: Trial,
): Promise<FoundRows | undefined> {
  const queue = paths.map((path) => ({ path, isTaken: false }))
  plan.push(...queue)
  let found: FoundRows = NOTHING
  let known = page
  for (const one of queue) {
    one.isTaken = true
    found = await readPath(source, known, one.path)
    const isFull = found.records.length >= Math.min(page.request.rows, left)
    if (isFull || found.isWhole || findsAll(one.path)) return found
    if (one.path.path !== 'head_scan' || known !== page) continue
    const extended = extension(page, input, one.path.bound, found)
    known = { ...page, records: page.records ?? found.total ?? 0 }
    if (!extended) continue
    const next = { path: extended, isTaken: false }
    queue.splice(queue.indexOf(one) + 1, 0, next)
    plan.splice(plan.indexOf(one) + 1, 0, next)
  }
  return undefined
}

/** The total of a single filter is its exact cardinality, also if index rows were counted only up to a bound before. */
const withTotal = (statistics: Statistics, total: number | null): Statistics =>
  total === null || statistics.estimates.length > 1
    ? statistics
    : {
        ...statistics,
        estimates: statistics.estimates.map((one) => ({
          ...one,
          found: total,
          isExact: true,
          isCapped: false,
        })),
      }

/** @returns null when the total is neither known nor requested */
async function readTotal(
  source: RowSource,
  { request, prepared, isTotalAsked }: PreparedPage,
  { records, estimates }: Statistics,
): Promise<number | null> {
  const [only, ...others] = estimates
  if (others.length === 0 && only?.isExact && only.found !== undefined) return only.found
  if (isNothing(estimates)) return 0
  if (!isTotalAsked) return null
  return source.count(countQuery(request.owner, prepared, countPlan({ records, filters: estimates })))
}

/** Call it in one snapshot: statistics, total and page must agree. */
async function readByStatistics(source: RowSource, page: PreparedPage, plan: PagePlan): Promise<FoundRows> {
  const { request, prepared, isTotalAsked } = page
  const statistics = await readStatistics(source, request.owner, prepared, isTotalAsked)
  const total = await readTotal(source, page, statistics)
  // How many records follow a cursor is unknown.
  const left = request.position || total === null ? Number.POSITIVE_INFINITY : total - request.offset
  const known = { ...page, indexOnly: indexOnlyScanOf(request, prepared), records: statistics.records }
  const input = plannerInput(known, withTotal(statistics, total))
  // A head scan that did not fill the page is not repeated.
  const paths = left <= 0 ? [EMPTY] : accessPaths(plan.length > 0 ? { ...input, comparisons: 0 } : input)
  const found = await tryPaths(source, known, { input, paths, left, plan })
  return { ...(found ?? NOTHING), total }
}

const EMPTY: AccessPath = { path: 'empty', cost: 0 }

/** As scanPage, for a large object. */
export async function selectIndexedPage(
  db: Db,
  model: Indexed,
  query: PageQuery,
  plan: PagePlan = [],
): Promise<Page> {
  const page = preparePage(model, query)
  const source = rowSource(db, model)
  const input = plannerInput(page, assumedStatistics(page.prepared))
  const early = await tryPaths(source, page, { input, paths: pathsBeforeStatistics(input), plan })
  const found = early ?? (await source.snapshot((one) => readByStatistics(one, page, plan)))
  const records = found.records.slice(0, query.limit)
  const last = found.records.length > query.limit ? records.at(-1) : undefined
  return {
    records,
    total: query.count ? (found.total ?? undefined) : undefined,
    next: last && { key: found.keys[query.limit - 1] ?? null, id: last.id },
  }
}

/**
 * Reads a page of an object of any size, of a small object by a full scan. A page of large records is shorter than its
 * limit.
 * @param plan receives the access paths to the page, if the object has an index
 * @throws StaleModel
 */
export async function selectPage(
  db: Db,
  model: ObjectModel,
  query: PageQuery,
  plan?: PagePlan,
): Promise<Page> {
  try {
    return await (isIndexed(model) ? selectIndexedPage(db, model, query, plan) : scanPage(db, model, query))
  } catch (error) {
    if (!(error instanceof LongPage)) throw error
    plan?.splice(0)
    return selectPage(db, model, { ...query, limit: error.limit }, plan)
  }
}

/** @returns the ids of the first records that match */
export async function selectIds(
  db: Db,
  model: ObjectModel,
  { filters, sort, limit }: { filters: readonly RecordFilter[]; sort: Sort; limit: number },
): Promise<string[]> {
  // The table `records` has an index for each of these orders.
  const isOrdered = filters.length === 0 && (sort.key === undefined || sort.field === 'updated_at')
  if (!isIndexed(model) || isOrdered)
    return scanIds(db, model, { filters: conditionsOf(filters), sort, limit })
  const query = { filters, sort, limit, position: undefined, offset: 0, count: false, idsOnly: true }
  const page = await selectIndexedPage(db, model, query)
  return page.records.map(({ id }) => id)
}
