// Queries of totals that no counter holds. They count index rows, or records if index rows do not help.
import sql, { join, type Sql } from 'sql-template-tag'
import { recordOf } from '../../../model/objects/record-lookup.ts'
import type { ObjectScope } from '../index/counter-changes.ts'
import { HIGHEST_ID, LOWEST_ID } from '../index/index-keys.ts'
import type { Count, Intersection } from '../plan/count.ts'
import { allRecords, scalarCount, totals } from './cardinality.ts'
import { and, ofOwner } from './page-request.ts'
import type { PreparedFilter } from './prepared-filters.ts'

const NO_IDS = sql`select null::uuid as id where false`

const conditionIds = (prepared: readonly PreparedFilter[], filter: number): Sql =>
  prepared[filter]?.indexCondition?.ids ?? NO_IDS

/** Ids in all of the sets: one hash table, independent of PostgreSQL's estimates. */
const intersected = (prepared: readonly PreparedFilter[], filters: readonly number[]): Sql =>
  sql`select count(*) from (${join(
    filters.map((place) => sql`(${conditionIds(prepared, place)})`),
    ' intersect ',
  )}) as i`

/**
 * A condition that all ids meet, although PostgreSQL estimates that few do. If PostgreSQL estimates that a hash
 * table of ids exceeds its memory, it scans all of them for each lookup, and its estimates are of all attributes
 * together.
 */
const ALL_IDS = sql`between (select ${LOWEST_ID}::uuid) and (select ${HIGHEST_ID}::uuid)`

/**
 * Looks up the ids of the largest set in hash tables of the smaller sets. It is not a join: PostgreSQL estimates few
 * rows for one value, and would scan all rows of one filter for each row of the other. PostgreSQL does not turn a
 * condition within `is true` into a join. Takes two thirds of the time of `intersect`.
 */
function lookedUp(prepared: readonly PreparedFilter[], filters: readonly number[]): Sql {
  const largest = filters.at(-1) ?? 0
  const isIn = filters.slice(0, -1).map((place) => {
    // OFFSET 0: the filter applies after the ids are found. Otherwise an index on ids might seem cheaper.
    const table = sql`select k.id from (${conditionIds(prepared, place)} offset 0) as k where k.id ${ALL_IDS}`
    return sql`(i.id in (${table})) is true`
  })
  return sql`select count(*) from (${conditionIds(prepared, largest)}) as i where ${join(isIn, ' and ')}`
}

/** The intersection, if the statement's snapshot proves that it is exact. Otherwise records are read. */
function proven(
  owner: ObjectScope,
  prepared: readonly PreparedFilter[],
  { filters, areSmall }: Intersection,
): Sql {
  const pairs = prepared.flatMap(({ cardinality, proof }) =>
    cardinality && proof ? [cardinality, proof] : [],
  )
  const count = areSmall ? lookedUp(prepared, filters) : intersected(prepared, filters)
  if (pairs.length === 0) return count
  const { changes, totals: sums } = totals(owner, pairs)
  const holds = sums.flatMap((cardinality, place) =>
    place % 2 === 0 ? [sql`${cardinality} = ${sums[place + 1]}`] : [],
  )
  const [filter = 0] = filters
  return sql`
    with changes as materialized (${changes})
    select case when ${join(holds, ' and ')} then (${count})
           else (${countQuery(owner, prepared, { by: 'records', filter })}) end as count
    from changes`
}

/** Subtracts the complement of the only filter from all records, in one statement and so in one snapshot. */
function withoutComplement(owner: ObjectScope, [only]: readonly PreparedFilter[]): Sql {
  const all = scalarCount(owner, [{ term: allRecords(owner), sign: 1 }])
  return sql`select ${all} - count(*) as count from (${only?.complement?.ids ?? NO_IDS}) as i`
}

/** A scalar query of the number of records that meet all filters. */
export function countQuery(owner: ObjectScope, prepared: readonly PreparedFilter[], count: Count): Sql {
  const conditions = prepared.map(({ filter }) => filter.condition)
  if (count.by === 'intersection') return proven(owner, prepared, count)
  if (count.by === 'complement') return withoutComplement(owner, prepared)
  if (count.by === 'exact_ids')
    return sql`select count(*) from (${prepared[0]?.indexCondition?.exactIds ?? NO_IDS}) as i`
  if (count.by === 'scan')
    return sql`select count(*) from records r where ${ofOwner(owner)}${and(conditions)}`
  return sql`
    select count(*) from (${conditionIds(prepared, count.filter)}) as i ${recordOf(owner, sql`i.id`, { conditions })}`
}
