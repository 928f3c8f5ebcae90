// Which access paths lead to a page, and in which order they are tried: a pure function of the statistics.
import {
  BOUND_LOOKUP,
  ID_IN_ORDER,
  ID_SORTED,
  IN_MEMORY_IDS_MAX,
  INDEX_ROW_SKIPPED,
  RECORD_FETCHED,
  RECORD_IN_ORDER,
  SCAN_BOUND_MIN,
  SCAN_OVERSHOOT,
  SEARCH_MATCH,
  UNKNOWN_SELECTIVITY,
  VALUES_PASS,
} from './cost-model.ts'

/** What is known of one filter. */
export interface FilterEstimate {
  /** How many records meet it, exactly or about; undefined when nothing is known. */
  found: number | undefined
  /** Whether `found` is exact. */
  isExact: boolean
  /** What its index rows give: nothing, a superset of what it finds, or exactly what it finds. */
  indexMatch: 'none' | 'superset' | 'exact'
  /** Whether they come in the order of ids. */
  isOrdered: boolean
  /** Whether all of them are found before the first is given: to ask for the first ones only saves nothing. */
  isSearch?: boolean
  /** Whether a count can prove, in its own statement, that they are exactly what the filter finds. */
  isProvable?: boolean
  /** Whether index rows give exactly what it finds, at the cost of a pass through the different values. */
  isSure?: boolean
  /** Whether index rows give exactly all others. */
  isRest?: boolean
}

export interface Asked {
  records: number
  filters: readonly FilterEstimate[]
  /** id, updated: an index on records; key: index rows of the attribute sorted by; none: no index gives the order. */
  order: 'id' | 'updated' | 'key' | 'none'
  /** Rows up to the end of the page, and one more that shows whether another page follows. */
  until: number
}

/** `bound`: rows that are read at most; the page may not be full then. `cost`: microseconds. */
export type AccessPath =
  /** No record can match. */
  | { path: 'empty' }
  /** Records in the order of the sort; those that do not match are skipped. */
  | { path: 'ordered_scan'; bound: number | undefined; cost: number }
  /** All records, sorted: no index gives the order. */
  | { path: 'full_scan'; bound: undefined; cost: number }
  /** Records by the ids that the index rows of a filter give in order. */
  | { path: 'index_scan'; filter: number; bound: number | undefined; cost: number }
  /** All records of a filter's index rows, or those of them among the first `bound` records, then sorted. */
  | { path: 'fetch_and_sort'; filter: number; bound: number | undefined; cost: number }

const selectivityOf = ({ records }: Asked, { found }: FilterEstimate) =>
  found === undefined ? UNKNOWN_SELECTIVITY : Math.min(1, found / Math.max(1, records))

/** How many are expected to match, as if filters were independent. */
export const expected = (asked: Asked): number =>
  asked.records * asked.filters.reduce((share, filter) => share * selectivityOf(asked, filter), 1)

/** How many of `all` are read until the page is full. */
function visited({ until }: Asked, all: number, matching: number): number {
  return Math.min(all, matching < 1 ? all : (until * all) / matching)
}

const bounded = (visits: number, all: number): number | undefined => {
  const bound = Math.max(SCAN_BOUND_MIN, Math.ceil(visits * SCAN_OVERSHOOT))
  return bound >= all ? undefined : bound
}

function recordScan(asked: Asked): AccessPath {
  if (asked.order === 'none')
    return { path: 'full_scan', bound: undefined, cost: asked.records * RECORD_IN_ORDER }
  const visits = visited(asked, asked.records, expected(asked))
  const cost = visits * (asked.order === 'key' ? RECORD_FETCHED : RECORD_IN_ORDER)
  return { path: 'ordered_scan', bound: bounded(visits, asked.records), cost }
}

function indexScans(asked: Asked): AccessPath[] {
  if (asked.order !== 'id') return []
  return asked.filters.flatMap(({ isOrdered, indexMatch, found }, filter): AccessPath[] => {
    if (!isOrdered || indexMatch === 'none' || found === undefined) return []
    const isAlone = asked.filters.length === 1 && indexMatch === 'exact'
    const visits = isAlone ? Math.min(found, asked.until) : visited(asked, found, expected(asked))
    const bound = isAlone ? undefined : bounded(visits, found)
    return [{ path: 'index_scan', filter, bound, cost: visits * (isAlone ? ID_IN_ORDER : RECORD_FETCHED) }]
  })
}

function fetches(asked: Asked): AccessPath[] {
  const isAlone = asked.filters.length === 1 && asked.order === 'id'
  return asked.filters.flatMap((estimate, filter): AccessPath[] => {
    const { indexMatch, found } = estimate
    if (indexMatch === 'none' || found === undefined) return []
    const isOfIds = isAlone && indexMatch === 'exact'
    const cost = found * (isOfIds ? ID_SORTED : RECORD_FETCHED)
    const all: AccessPath = { path: 'fetch_and_sort', filter, bound: undefined, cost }
    return isOfIds && !estimate.isSearch ? [...fetchFirst(asked, found), all] : [all]
  })
}

/** Ids among the first records alone: many match, and a page takes few of them. */
function fetchFirst(asked: Asked, found: number): AccessPath[] {
  const bound = bounded(visited(asked, asked.records, found), asked.records)
  if (bound === undefined) return []
  const sorted = (found * bound) / asked.records
  const cost = BOUND_LOOKUP + found * INDEX_ROW_SKIPPED + sorted * ID_SORTED
  return [{ path: 'fetch_and_sort', filter: 0, bound, cost }]
}

export const costOf = (path: AccessPath): number => ('cost' in path ? path.cost : 0)

/** The cost of a single pass: all that a filter finds, sorted. */
export const costOfSinglePass = ({ found = 0, isSearch = false }: FilterEstimate): number =>
  found * (ID_SORTED + (isSearch ? SEARCH_MATCH : 0))

/** Whether no record can match. */
export const isNothing = (filters: readonly FilterEstimate[]): boolean =>
  filters.some(({ found, isExact }) => isExact && found === 0)

/** Access paths to the page, the cheapest first. The last of them finds everything. */
export function accessPaths(asked: Asked): AccessPath[] {
  if (isNothing(asked.filters)) return [{ path: 'empty' }]
  const paths = [...indexScans(asked), ...fetches(asked), recordScan(asked)].sort(
    (a, b) => costOf(a) - costOf(b),
  )
  const [first] = paths
  const isBounded = first && 'bound' in first && first.bound !== undefined
  if (!first || !isBounded) return paths.slice(0, 1)
  const sure = paths.slice(1).find((path) => !('bound' in path) || path.bound === undefined)
  return [first, sure ?? { ...first, bound: undefined }]
}

/** Ids that several filters give, the smallest first. */
export interface Intersection {
  by: 'intersection'
  filters: number[]
  /** Whether the ids of all but the last are known to be few enough for tables in memory. */
  areSmall: boolean
}

/** How all that match are counted without a counter. */
export type Count =
  | { by: 'records'; filter: number }
  | Intersection
  /** All records without those that meet the negation of the only filter. */
  | { by: 'rest' }
  /** What the only filter finds, for a pass through the different values. */
  | { by: 'sure' }
  | { by: 'scan' }

/** This many records take as long as a pass through the different values. */
const RECORDS_PER_PASS = VALUES_PASS / RECORD_FETCHED

function intersect(usable: readonly (FilterEstimate & { filter: number; size: number })[]): Intersection {
  const smaller = usable.slice(0, -1)
  const ids = smaller.reduce((sum, { size }) => sum + size, 0)
  return {
    by: 'intersection',
    filters: usable.map(({ filter }) => filter),
    areSmall: smaller.length > 0 && ids <= IN_MEMORY_IDS_MAX && smaller.every(({ isExact }) => isExact),
  }
}

export function countPlan({ records, filters }: Pick<Asked, 'records' | 'filters'>): Count {
  const [only, ...others] = filters
  if (only?.isRest && others.length === 0) return { by: 'rest' }
  if (only?.isSure && others.length === 0 && (only.found ?? records) > RECORDS_PER_PASS) return { by: 'sure' }
  const places = filters.map((estimates, filter) => ({
    ...estimates,
    filter,
    size: estimates.found ?? records,
  }))
  const usable = places.filter(({ indexMatch }) => indexMatch !== 'none').sort((a, b) => a.size - b.size)
  const [smallest] = usable
  if (!smallest) return { by: 'scan' }
  const isWhole =
    usable.length === filters.length &&
    usable.every(({ indexMatch, isProvable }) => indexMatch === 'exact' || isProvable)
  const rows = usable.reduce((sum, { size }) => sum + size, 0)
  if (isWhole && (filters.length === 1 || rows * ID_IN_ORDER < smallest.size * RECORD_FETCHED))
    return intersect(usable)
  // Coming to a record at random costs more than to the next one.
  return smallest.size * 2 < records ? { by: 'records', filter: smallest.filter } : { by: 'scan' }
}
