// Chooses the access paths to a page, and the order in which they are tried: pure functions of the statistics.
import {
  type AccessPath,
  type FilterEstimate,
  fetches,
  headScan,
  indexOnlyScan,
  indexScans,
  isDeep,
  offsetSeek,
  type PlannerInput,
  recordScan,
  type Sample,
  singlePass,
} from './access-paths.ts'
import {
  HEAD_EXTENSION_MAX,
  HEAD_MATCHES_MIN,
  HEAD_OVERSHOOT,
  INDEX_ROW_SKIPPED,
  RECORD_IN_ORDER,
  SEARCH_CHARACTER,
} from './cost-model.ts'

/** Whether no record can match. */
export const isNothing = (filters: readonly FilterEstimate[]): boolean =>
  filters.some(({ found, isExact }) => isExact && found === 0)

const boundOf = (path: AccessPath) => ('bound' in path ? path.bound : undefined)

/** Whether the path ends with a full page or with the last match. */
export const findsAll = (path: AccessPath): boolean =>
  boundOf(path) === undefined && !(path.path === 'index_only_scan' && path.isProven)

/** A bounded scan that needs statistics. Head scans and single passes may be tried before statistics are read. */
const isBoundedScan = (path: AccessPath) =>
  path.path !== 'head_scan' && path.path !== 'single_pass' && boundOf(path) !== undefined

/**
 * Sorts by cost, up to the first path that finds everything. A second bounded scan would end where the first one did.
 */
function inOrder(paths: readonly AccessPath[]): AccessPath[] {
  const sorted = paths.toSorted((a, b) => a.cost - b.cost)
  const scan = sorted.find(isBoundedScan)
  const kept = sorted.filter((path) => path === scan || !isBoundedScan(path))
  const last = kept.findIndex(findsAll)
  if (last >= 0) return kept.slice(0, last + 1)
  return scan && 'bound' in scan ? [...kept, { ...scan, bound: undefined } as AccessPath] : kept
}

const canSeek = (input: PlannerInput): boolean =>
  input.order !== 'none' && input.order !== 'first_key' && isDeep(input)

/**
 * The paths that are planned by assumed statistics, because reading statistics would cost as much as the page: a page
 * without filters has only one path, a search finds all its matches before one can be counted, and a single pass counts
 * its matches itself.
 * @returns [] if reading statistics costs less than the page
 */
export function pathsBeforeStatistics(input: PlannerInput): AccessPath[] {
  const { filters, isTotalAsked } = input
  if (filters.length === 0) return [canSeek(input) ? offsetSeek(input) : recordScan(input)]
  const isSearch = filters.some((one) => one.isSearch && !one.isCounted)
  if (!isSearch && !isTotalAsked) return []
  return inOrder([...(isSearch ? headScan(input) : []), ...singlePass(input)])
}

/** Access paths to the page, the cheapest first. The last of them finds everything. */
export function accessPaths(input: PlannerInput): AccessPath[] {
  if (isNothing(input.filters)) return [{ path: 'empty', cost: 0 }]
  return inOrder([
    ...headScan(input),
    ...indexScans(input),
    ...fetches(input),
    ...indexOnlyScan(input),
    recordScan(input),
  ])
}

/** Whether index rows beyond the first records can be skipped without reading any record. */
const canSkipRows = ({ order, filters: [only, ...others] }: PlannerInput) =>
  order === 'id' && others.length === 0 && only?.indexMatch === 'exact' && !only.isSearch

/** A second head scan, sized by the selectivity of the first one. @returns undefined when the next path is cheaper */
export function extendedHeadScan(
  input: PlannerInput,
  { matches, bound, characters }: Sample,
): AccessPath | undefined {
  const selectivity = Math.max(matches, 1) / bound
  const found = input.records * selectivity
  const visits = input.until / selectivity
  const cost = visits * RECORD_IN_ORDER
  const extended = Math.ceil(visits * HEAD_OVERSHOOT)
  const searched = matches < HEAD_MATCHES_MIN ? 0 : found * characters * SEARCH_CHARACTER
  const isCheaper = canSkipRows(input)
    ? cost < found * INDEX_ROW_SKIPPED
    : extended <= HEAD_EXTENSION_MAX || cost < searched
  return isCheaper ? { path: 'head_scan', bound: extended, cost } : undefined
}
