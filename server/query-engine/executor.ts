// Reads a page of a large object and its total: statistics are read, the plan is made, and its paths are tried in order.
import sql from 'sql-template-tag'
import type { IndexedAttribute } from '../attributes/object-index.ts'
import type { Db } from '../db/pool.ts'
import type { Page, PageQuery } from '../records/store.ts'
import { readHeadScan } from './head-scan.ts'
import { type PagePlan, pagePaths, take } from './page-plan.ts'
import { readPath } from './path-reader.ts'
import { countPlan, isNothing } from './planner.ts'
import { countQuery } from './sql/count-query.ts'
import type { IndexCondition } from './sql/index-conditions.ts'
import { isMultiValue } from './sql/index-keys.ts'
import { type Found, NO_TOTAL, NOTHING, readRows } from './sql/read-rows.ts'
import { indexScan, orderOf, type Question } from './sql/scans.ts'
import {
  type Indexed,
  isCapped,
  type Prepared,
  prepare,
  readStatistics,
  type Statistics,
} from './statistics.ts'
import { readAll } from './unfiltered-page.ts'

const sortedBy = ({ index }: Indexed, { sort }: PageQuery): IndexedAttribute | undefined => {
  const kept = index.attributes.get(sort.field)
  return sort.key && kept?.state === 'ready' && !isMultiValue(kept) ? kept : undefined
}

export const questionOf = (model: Indexed, query: PageQuery): Question => ({
  model,
  filters: query.filters,
  sort: query.sort,
  sortedBy: sortedBy(model, query),
  position: query.position,
  rows: query.limit + 1,
  offset: query.offset,
  idsAlone: query.idsAlone,
})

interface Attempt {
  paths: ReturnType<typeof pagePaths>
  prepared: readonly Prepared[]
  /** Records there are from the offset on, as far as is known. */
  left: number
  plan: PagePlan
}

/** Tries the paths in order until one fills the page. */
async function tryPaths(
  db: Db,
  model: Indexed,
  question: Question,
  { paths, prepared, left, plan }: Attempt,
): Promise<Found> {
  const planned = paths.map((path) => ({ path, isTaken: false }))
  plan.push(...planned)
  let found: Found = NOTHING
  for (const one of planned) {
    one.isTaken = true
    const { path } = one
    found =
      path.path === 'index_only_scan'
        ? await readRows(db, model, path.page)
        : await readPath(db, model, question, { path, prepared })
    if (found.records.length >= Math.min(question.rows, left)) return found
  }
  return found
}

/** The page and the total of one filter that only index rows can count. */
function readSinglePass(
  db: Db,
  model: Indexed,
  question: Question,
  { condition: { ids, isOrdered, isExact }, isCounted }: { condition: IndexCondition; isCounted: boolean },
) {
  const hits = { ids: sql`select id from hits`, isOrdered, isExact }
  return readRows(db, model, {
    before: sql`with hits as materialized (${ids})`,
    total: isCounted ? sql`select count(*) from hits` : NO_TOTAL,
    rows: indexScan(question, hits, { isAlone: true }),
  })
}

interface Filtered {
  prepared: readonly Prepared[]
  isCounted: boolean
  plan: PagePlan
}

async function readFiltered(
  db: Db,
  model: Indexed,
  question: Question,
  { prepared, isCounted, plan }: Filtered,
): Promise<Found> {
  const statistics = await readStatistics(db, model, prepared)
  const isUncounted = !isCounted && prepared.some((one, place) => isCapped(one, statistics.estimates[place]))
  const head = isUncounted ? await readHeadScan(db, model, question, { prepared, plan }) : undefined
  if (head) return head
  const total = await readTotal(db, model, prepared, { statistics, isCounted })
  // Of a page after a cursor it is not known how much is left.
  const left = question.position || total === null ? Number.POSITIVE_INFINITY : total - question.offset
  const paths: Attempt['paths'] =
    left <= 0
      ? [{ path: 'empty' }]
      : pagePaths(model, question, { prepared, statistics: withTotal(statistics, total) })
  const page = await tryPaths(db, model, question, { paths, prepared, left, plan })
  return { ...page, total }
}

/** The total of a single filter is how many meet it, also where index rows were counted up to a bound before. */
const withTotal = (statistics: Statistics, total: number | null): Statistics =>
  total === null || statistics.estimates.length > 1
    ? statistics
    : {
        ...statistics,
        estimates: statistics.estimates.map((one) => ({ ...one, found: total, isExact: true })),
      }

/** @returns null when it is neither known nor asked for */
async function readTotal(
  db: Db,
  model: Indexed,
  prepared: readonly Prepared[],
  { statistics: { records, estimates }, isCounted }: { statistics: Statistics; isCounted: boolean },
): Promise<number | null> {
  const [only, ...others] = estimates
  if (others.length === 0 && only?.isExact && only.found !== undefined) return only.found
  if (isNothing(estimates)) return 0
  if (!isCounted) return null
  const count = countPlan({ records, filters: estimates })
  return (await db.one<{ count: number }>(countQuery(model, prepared, count))).count
}

async function findPage(db: Db, model: Indexed, query: PageQuery, plan: PagePlan): Promise<Found> {
  const question = questionOf(model, query)
  const prepared = prepare(model, query.filters)
  const [first, ...others] = prepared
  if (!first) return readAll(db, model, question, { isCounted: query.count, plan })
  const isSearch = prepared.some(
    ({ cardinality, indexCondition }) => !cardinality && indexCondition?.isSearch,
  )
  const head =
    isSearch && !query.count ? await readHeadScan(db, model, question, { prepared, plan }) : undefined
  if (head) return head
  const { indexCondition: condition, cardinality } = first
  const isAlone = others.length === 0 && !cardinality && condition?.isExact && orderOf(question) === 'id'
  if (isAlone && (query.count || isSearch)) {
    take(plan, { path: 'single_pass', filter: 0 })
    return readSinglePass(db, model, question, { condition, isCounted: query.count })
  }
  // Statistics, total and page are of one moment.
  return db.snapshot((tx) => readFiltered(tx, model, question, { prepared, isCounted: query.count, plan }))
}

/**
 * As store.ts scanPage, for an object whose index is complete.
 * @param plan gets the paths to the page
 */
export async function selectIndexedPage(
  db: Db,
  model: Indexed,
  query: PageQuery,
  plan: PagePlan = [],
): Promise<Page> {
  const page = await findPage(db, model, query, plan)
  const { records: found, keys, total } = page
  const records = found.slice(0, query.limit)
  const last = found.length > query.limit ? records.at(-1) : undefined
  return {
    records,
    total: query.count ? (total ?? undefined) : undefined,
    next: last && { key: keys[query.limit - 1] ?? null, id: last.id },
  }
}
