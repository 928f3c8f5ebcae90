// Chooses how all matches are counted if no counter holds the total: a pure function of the statistics.
import type { FilterEstimate, PlannerInput } from './access-paths.ts'
import { ID_IN_ORDER, IN_MEMORY_IDS_MAX, RECORD_FETCHED, VALUES_PASS } from './cost-model.ts'

/** The ids that several filters have in common. `filters`: the smallest set first. */
export interface Intersection {
  by: 'intersection'
  filters: number[]
  /** Whether all sets but the last are known to be small enough for hash tables in memory. */
  areSmall: boolean
}

/** How all matches are counted without a counter. `filter`: its index rows select the records to read. */
export type Count =
  | { by: 'records'; filter: number }
  | Intersection
  /** All records minus the matches of the only filter's negation. */
  | { by: 'complement' }
  /** The exact ids of the only filter, at the cost of a pass through the different values. */
  | { by: 'exact_ids' }
  | { by: 'scan' }

/** Reading this many records takes as long as a pass through the different values. */
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

export function countPlan({ records, filters }: Pick<PlannerInput, 'records' | 'filters'>): Count {
  const [only, ...others] = filters
  const isSingle = others.length === 0
  if (only?.hasComplement && isSingle) return { by: 'complement' }
  if (only?.hasExactIds && isSingle && (only.found ?? records) > RECORDS_PER_PASS) return { by: 'exact_ids' }
  const sized = filters.map((estimate, filter) => ({ ...estimate, filter, size: estimate.found ?? records }))
  const usable = sized.filter(({ indexMatch }) => indexMatch !== 'none').sort((a, b) => a.size - b.size)
  const [smallest] = usable
  if (!smallest) return { by: 'scan' }
  const isWhole =
    usable.length === filters.length &&
    usable.every(({ indexMatch, isProvable }) => indexMatch === 'exact' || isProvable)
  const rows = usable.reduce((sum, { size }) => sum + size, 0)
  if (isWhole && (filters.length === 1 || rows * ID_IN_ORDER < smallest.size * RECORD_FETCHED))
    return intersect(usable)
  // Reading a record at a random place costs more than reading the next one.
  return smallest.size * 2 < records ? { by: 'records', filter: smallest.filter } : { by: 'scan' }
}
