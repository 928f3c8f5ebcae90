// The access paths to a page, each with its cost: pure functions of the statistics. planner.ts puts them in order.
import {
  BOUND_LOOKUP,
  HEAD_COMPARISONS,
  HEAD_RECORDS_MIN,
  ID_IN_ORDER,
  ID_SORTED,
  INDEX_ROW_MATCHED,
  INDEX_ROW_SKIPPED,
  LINKED_PASS_MAX,
  NULL_BUCKETS,
  OFFSET_SEEK,
  RECORD_FETCHED,
  RECORD_IN_ORDER,
  SCAN_BOUND_MIN,
  SCAN_OVERSHOOT,
  SEARCH_MATCH,
  SEEK_OFFSET_MIN,
  TIED_SHARE,
  UNKNOWN_SELECTIVITY,
  VALUES_PASS,
} from './cost-model.ts'

/**
 * id, updated: an index on `records`. key: index rows of the attribute sorted by. first_key: index rows of the first of
 * several attributes sorted by; ties are sorted. none: no index has the order.
 */
export type PageOrder = 'id' | 'updated' | 'key' | 'first_key' | 'none'

/** Statistics of one filter, and what index rows give for it. */
export interface FilterEstimate {
  /** Cardinality: how many records match; undefined when it is not known. */
  found: number | undefined
  /** Whether `found` is exact. */
  isExact: boolean
  /** Whether counters hold `found`. */
  isCounted?: boolean
  /** Whether index rows were counted up to COUNT_CAP only: `found` is a lower bound. */
  isCapped?: boolean
  /** What its index rows give: nothing, a superset of the matches, or exactly the matches. */
  indexMatch: 'none' | 'superset' | 'exact'
  /** Whether the index rows come in the order of ids. */
  isOrdered: boolean
  /** Whether all ids are found before the first is returned, as by a bitmap scan. */
  isSearch?: boolean
  /** Whether links give the ids, without a search for the targets: counting them takes half as long as sorting them. */
  isLinked?: boolean
  /** Whether a count can prove, in its own statement, that a superset is exact. */
  isProvable?: boolean
  /** Whether index rows give exactly the matches, at the cost of a pass through the different values. */
  hasExactIds?: boolean
  /** Whether index rows give exactly the records that do not match. */
  hasComplement?: boolean
}

/** What an index-only scan reads. nulls: buckets of the histogram of ids. range: index rows in order. ids: a set of ids. */
export type IndexOnlyRows =
  | { rows: 'nulls' }
  | { rows: 'range' }
  | { rows: 'ids'; isComplement: boolean; isCompared: boolean; isProven: boolean }

export interface PlannerInput {
  records: number
  filters: readonly FilterEstimate[]
  order: PageOrder
  /** Rows up to the end of the page, and one more that shows whether another page follows. */
  until: number
  offset?: number
  /** Whether there is a histogram for the order. */
  hasHistogram?: boolean
  /** Whether the total has to be found with the page. */
  isTotalAsked?: boolean
  /** Comparisons of one record with the filters. Each alternative counts. */
  comparisons?: number
  indexOnly?: IndexOnlyRows | undefined
}

/** `bound`: the maximum number of rows to read; the page may then not be full. `cost`: microseconds. */
export type AccessPath =
  /** No record can match. */
  | { path: 'empty'; cost: number }
  /** The first records in the order of the sort: a sample that may already fill the page. */
  | { path: 'head_scan'; bound: number; cost: number }
  /** Records in sort order. Records that do not match are skipped. */
  | { path: 'ordered_scan'; bound: number | undefined; cost: number }
  /** All records, sorted: no index gives the order. */
  | { path: 'full_scan'; cost: number }
  /** Records by the ids that the index rows of a filter give in order. */
  | { path: 'index_scan'; filter: number; bound: number | undefined; cost: number }
  /** Records by a filter's index rows, then sorted: all of them, or only those among the first `bound` records. */
  | { path: 'fetch_and_sort'; filter: number; bound: number | undefined; cost: number }
  /**
   * All index rows of a filter in one statement, for the page and the total. If there are more than `bound`, the next
   * path follows.
   */
  | { path: 'single_pass'; filter: 0; bound?: number; cost: number }
  /** Filter and order from index rows only. Without its proof the page is empty, and the next path follows. */
  | { path: 'index_only_scan'; filter: 0; isProven: boolean; cost: number }
  /** All records, from the histogram bucket in which the offset ends. */
  | { path: 'offset_seek'; cost: number }

const selectivityOf = ({ records }: PlannerInput, { found }: FilterEstimate) =>
  found === undefined ? UNKNOWN_SELECTIVITY : Math.min(1, found / Math.max(1, records))

/** The expected number of records that match all filters, if the filters are independent. */
const matchesOf = (input: PlannerInput): number =>
  input.records * input.filters.reduce((product, filter) => product * selectivityOf(input, filter), 1)

/** How many of `all` are expected to be read until the page is full. */
function visited({ until }: PlannerInput, all: number, matching: number): number {
  return Math.min(all, matching < 1 ? all : (until * all) / matching)
}

const bounded = (visits: number, all: number): number | undefined => {
  const bound = Math.max(SCAN_BOUND_MIN, Math.ceil(visits * SCAN_OVERSHOOT))
  return bound >= all ? undefined : bound
}

/** At a deep offset in the order of a first key, all records before the page would be fetched and sorted. */
const isUnordered = (input: PlannerInput): boolean =>
  input.order === 'none' || (input.order === 'first_key' && isDeep(input))

export function recordScan(input: PlannerInput): AccessPath {
  const { records, order } = input
  if (isUnordered(input)) return { path: 'full_scan', cost: records * RECORD_IN_ORDER }
  const visits = visited(input, records, matchesOf(input))
  const tied = order === 'first_key' ? records * TIED_SHARE : 0
  const isFetched = order === 'key' || order === 'first_key'
  const cost = (visits + tied) * (isFetched ? RECORD_FETCHED : RECORD_IN_ORDER)
  const bound = input.filters.length === 0 ? undefined : bounded(visits, records)
  return { path: 'ordered_scan', bound, cost }
}

export function indexScans(input: PlannerInput): AccessPath[] {
  if (input.order !== 'id') return []
  return input.filters.flatMap(({ isOrdered, indexMatch, found }, filter): AccessPath[] => {
    if (!isOrdered || indexMatch === 'none' || found === undefined) return []
    const isSufficient = input.filters.length === 1 && indexMatch === 'exact'
    const visits = isSufficient ? Math.min(found, input.until) : visited(input, found, matchesOf(input))
    const bound = isSufficient ? undefined : bounded(visits, found)
    return [
      { path: 'index_scan', filter, bound, cost: visits * (isSufficient ? ID_IN_ORDER : RECORD_FETCHED) },
    ]
  })
}

export function fetches(input: PlannerInput): AccessPath[] {
  const isSingleById = input.filters.length === 1 && input.order === 'id'
  return input.filters.flatMap((estimate, filter): AccessPath[] => {
    const { indexMatch, found } = estimate
    if (indexMatch === 'none' || found === undefined) return []
    const isOfIds = isSingleById && indexMatch === 'exact'
    const cost = found * (isOfIds ? ID_SORTED : RECORD_FETCHED)
    const all: AccessPath = { path: 'fetch_and_sort', filter, bound: undefined, cost }
    return isOfIds && !estimate.isSearch ? [...fetchFirst(input, found), all] : [all]
  })
}

/** Reads only ids among the first records: many records match, and a page needs few of them. */
function fetchFirst(input: PlannerInput, found: number): AccessPath[] {
  const bound = bounded(visited(input, input.records, found), input.records)
  if (bound === undefined) return []
  const sorted = (found * bound) / input.records
  const cost = BOUND_LOOKUP + found * INDEX_ROW_SKIPPED + sorted * ID_SORTED
  return [{ path: 'fetch_and_sort', filter: 0, bound, cost }]
}

const isUnknown = ({ found, isCapped }: FilterEstimate) => found === undefined || isCapped === true

/** Only if the cardinality of index rows is unknown: otherwise a scan has a better bound. */
export function headScan({ comparisons, filters, order, until, isTotalAsked }: PlannerInput): AccessPath[] {
  const isSampled = filters.some((one) => one.indexMatch !== 'none' && isUnknown(one))
  if (!comparisons || isTotalAsked || !isSampled || (order !== 'id' && order !== 'updated')) return []
  const bound = Math.max(HEAD_RECORDS_MIN, Math.round(HEAD_COMPARISONS / comparisons))
  // A sample that ends before the page cannot fill it.
  return until > bound ? [] : [{ path: 'head_scan', bound, cost: bound * comparisons * RECORD_IN_ORDER }]
}

/** Only if no counter holds the cardinality: the pass finds all matches, so it also gives the total. */
export function singlePass(input: PlannerInput): AccessPath[] {
  const [only, ...others] = input.filters
  if (!only || others.length > 0 || only.isCounted || only.indexMatch !== 'exact' || input.order !== 'id')
    return []
  const match = ID_SORTED + (only.isSearch ? SEARCH_MATCH * (input.comparisons ?? 1) : 0)
  const path = { path: 'single_pass', filter: 0, cost: matchesOf(input) * match } as const
  // Above this bound links are counted, in half of the time, and the cheaper path reads the page.
  return [only.isLinked ? { ...path, bound: LINKED_PASS_MAX } : path]
}

function indexOnlyCost({ records, order, until }: PlannerInput, found: number, read: IndexOnlyRows): number {
  if (read.rows === 'nulls') return (records - found) * INDEX_ROW_MATCHED + NULL_BUCKETS
  if (read.rows === 'range') return until * INDEX_ROW_SKIPPED
  const ids = read.isComplement ? records - found : found
  const rows = read.isComplement ? records + ids : ids
  // All index rows of the attribute sorted by are read as well.
  const keys = order === 'id' ? 0 : records
  return (rows + keys) * INDEX_ROW_MATCHED + (read.isCompared ? ids * RECORD_FETCHED + VALUES_PASS : 0)
}

export function indexOnlyScan(input: PlannerInput): AccessPath[] {
  const { indexOnly, filters } = input
  const found = filters[0]?.found
  if (!indexOnly || filters.length > 1 || found === undefined) return []
  const isProven = indexOnly.rows === 'ids' && indexOnly.isProven
  return [{ path: 'index_only_scan', filter: 0, isProven, cost: indexOnlyCost(input, found, indexOnly) }]
}

export const isDeep = ({ offset = 0 }: Pick<PlannerInput, 'offset'>): boolean => offset > SEEK_OFFSET_MIN

/** Without a histogram of the order, index rows are skipped from the nearer end. */
export function offsetSeek({ offset = 0, records, hasHistogram }: PlannerInput): AccessPath {
  const skipped = Math.max(0, Math.min(offset, records - offset)) * INDEX_ROW_SKIPPED
  return { path: 'offset_seek', cost: hasHistogram ? OFFSET_SEEK : skipped }
}

/** The matches of a head scan. */
export interface Sample {
  /** Matches among the first `bound` records. */
  matches: number
  bound: number
  /** Average length of the values that match; 0 when there are several filters. */
  characters: number
}
