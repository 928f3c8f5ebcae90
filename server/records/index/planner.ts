// Which way to a page costs least: a pure function of what is asked and how many records meet each filter.

/** What is known of one filter. */
export interface FilterFacts {
  /** How many records meet it, or about how many; unknown: nothing tells. */
  found: number | undefined
  /** Whether `found` is exact. */
  isExact: boolean
  /** What its index rows give: nothing, some more than it finds, or exactly what it finds. */
  probe: 'none' | 'more' | 'exact'
  /** Whether they come in the order of ids. */
  isOrdered: boolean
  /** Whether all of them are found before one is given: to ask for the first ones only saves nothing. */
  isSearch?: boolean
  /** Whether a count can prove, in its own statement, that they are exactly what the filter finds. */
  isProvable?: boolean
  /** Whether index rows give exactly what it finds for a pass through the different values. */
  isSure?: boolean
  /** Whether index rows give exactly all others. */
  isRest?: boolean
}

export interface Asked {
  records: number
  filters: readonly FilterFacts[]
  /** id: an index on records; key: index rows of the attribute sorted by; none: no index gives the order. */
  order: 'id' | 'updated' | 'key' | 'none'
  /** Rows up to the end of the page, and the one that tells whether another follows. */
  until: number
}

export type Way =
  /** No record can match. */
  | { way: 'nothing' }
  /** Along the order of the sort, past what does not match; at most `bound` records. */
  | { way: 'walk'; bound: number | undefined; cost: number }
  /** Along the ids that the filter's index rows give in order. */
  | { way: 'along'; filter: number; bound: number | undefined; cost: number }
  /** All that the filter's index rows give, or those of them among the first `bound` records, then sorted. */
  | { way: 'gather'; filter: number; bound: number | undefined; cost: number }

/** Microseconds for one record, measured on two cores: what it takes to come to it and to look at its data. */
const WALKED = 2
const WALKED_BY_KEY = 5
export const GATHERED = 5
/** An id alone, out of an index; and brought into order. */
const ID = 0.3
const SORTED_ID = 0.7
/** An index row that is passed by for its id; what that must save before it is found out up to which id. */
export const PASSED_BY = 0.1
const FIND_ID = 1000

const CHANCE_UNKNOWN = 0.1
/** So much further than expected a walk may go before another way is taken. */
const PATIENCE = 4
const BOUND_LEAST = 2000

const shareOf = ({ records }: Asked, { found }: FilterFacts) =>
  found === undefined ? CHANCE_UNKNOWN : Math.min(1, found / Math.max(1, records))

/** How many are expected to match, as if filters had nothing to do with each other. */
export const expected = (asked: Asked): number =>
  asked.records * asked.filters.reduce((share, filter) => share * shareOf(asked, filter), 1)

/** Of `all` that are gone through, so many until the page is full. */
function visited({ until }: Asked, all: number, matching: number): number {
  return Math.min(all, matching < 1 ? all : (until * all) / matching)
}

const bounded = (visits: number, all: number): number | undefined => {
  const bound = Math.max(BOUND_LEAST, Math.ceil(visits * PATIENCE))
  return bound >= all ? undefined : bound
}

function walk(asked: Asked): Way[] {
  const visits = asked.order === 'none' ? asked.records : visited(asked, asked.records, expected(asked))
  const cost = visits * (asked.order === 'key' ? WALKED_BY_KEY : WALKED)
  return [{ way: 'walk', bound: asked.order === 'none' ? undefined : bounded(visits, asked.records), cost }]
}

function along(asked: Asked): Way[] {
  if (asked.order !== 'id') return []
  return asked.filters.flatMap(({ isOrdered, probe, found }, filter): Way[] => {
    if (!isOrdered || probe === 'none' || found === undefined) return []
    const isAlone = asked.filters.length === 1 && probe === 'exact'
    const visits = isAlone ? Math.min(found, asked.until) : visited(asked, found, expected(asked))
    const bound = isAlone ? undefined : bounded(visits, found)
    return [{ way: 'along', filter, bound, cost: visits * (isAlone ? ID : GATHERED) }]
  })
}

function gather(asked: Asked): Way[] {
  const isAlone = asked.filters.length === 1 && asked.order === 'id'
  return asked.filters.flatMap((facts, filter): Way[] => {
    const { probe, found } = facts
    if (probe === 'none' || found === undefined) return []
    const isOfIds = isAlone && probe === 'exact'
    const all: Way = {
      way: 'gather',
      filter,
      bound: undefined,
      cost: found * (isOfIds ? SORTED_ID : GATHERED),
    }
    return isOfIds && !facts.isSearch ? [...gatherFirst(asked, found), all] : [all]
  })
}

/** Ids of the first records alone, where they are many of which a page takes few. */
function gatherFirst(asked: Asked, found: number): Way[] {
  const bound = bounded(visited(asked, asked.records, found), asked.records)
  if (bound === undefined) return []
  const sorted = (found * bound) / asked.records
  const cost = FIND_ID + found * PASSED_BY + sorted * SORTED_ID
  return [{ way: 'gather', filter: 0, bound, cost }]
}

export const costOf = (way: Way): number => ('cost' in way ? way.cost : 0)

/** For each record that a search finds, whatever texts it is in. */
const SEARCHED = 5

/** What it takes to go through all of a filter once, and sort it. */
export const costOfAll = ({ found = 0, isSearch = false }: FilterFacts): number =>
  found * (SORTED_ID + (isSearch ? SEARCHED : 0))

/** Whether no record can match. */
export const isNothing = (filters: readonly FilterFacts[]): boolean =>
  filters.some(({ found, isExact }) => isExact && found === 0)

/** Ways to the page, the cheapest first. The last of them finds everything. */
export function waysTo(asked: Asked): Way[] {
  if (isNothing(asked.filters)) return [{ way: 'nothing' }]
  const ways = [...along(asked), ...gather(asked), ...walk(asked)].sort((a, b) => costOf(a) - costOf(b))
  const [first] = ways
  const isBounded = first && 'bound' in first && first.bound !== undefined
  if (!first || !isBounded) return ways.slice(0, 1)
  const sure = ways.slice(1).find((way) => !('bound' in way) || way.bound === undefined)
  return [first, sure ?? { ...first, bound: undefined }]
}

/** Ids that several filters give, the smallest first. */
export interface Intersection {
  by: 'intersection'
  filters: number[]
  /** Whether the ids of all but the last are known to be few enough for tables in memory. */
  areSmall: boolean
}

/** How all that match are counted when no counter tells. */
export type Count =
  | { by: 'records'; filter: number }
  | Intersection
  /** All records without those that meet the contrary of the only filter. */
  | { by: 'rest' }
  /** What the only filter finds, for a pass through the different values. */
  | { by: 'sure' }
  | { by: 'scan' }

/** A record costs that many times what an index row does. */
const RECORD_PER_ROW = 15
/** So few records are looked at in less time than a pass through the different values takes. */
const FEW = 200

/** So many ids are tables of 40 MB, which never go to the disk. */
const TABLES_MAX = 500_000

function intersect(usable: readonly (FilterFacts & { filter: number; size: number })[]): Intersection {
  const smaller = usable.slice(0, -1)
  const ids = smaller.reduce((sum, { size }) => sum + size, 0)
  return {
    by: 'intersection',
    filters: usable.map(({ filter }) => filter),
    areSmall: smaller.length > 0 && ids <= TABLES_MAX && smaller.every(({ isExact }) => isExact),
  }
}

export function countFor({ records, filters }: Pick<Asked, 'records' | 'filters'>): Count {
  const [only, ...others] = filters
  if (only?.isRest && others.length === 0) return { by: 'rest' }
  if (only?.isSure && others.length === 0 && (only.found ?? records) > FEW) return { by: 'sure' }
  const places = filters.map((facts, filter) => ({ ...facts, filter, size: facts.found ?? records }))
  const usable = places.filter(({ probe }) => probe !== 'none').sort((a, b) => a.size - b.size)
  const [smallest] = usable
  if (!smallest) return { by: 'scan' }
  const isWhole =
    usable.length === filters.length &&
    usable.every(({ probe, isProvable }) => probe === 'exact' || isProvable)
  const rows = usable.reduce((sum, { size }) => sum + size, 0)
  if (isWhole && (filters.length === 1 || rows < smallest.size * RECORD_PER_ROW)) return intersect(usable)
  // Coming to a record at random costs more than to the next one.
  return smallest.size * 2 < records ? { by: 'records', filter: smallest.filter } : { by: 'scan' }
}
