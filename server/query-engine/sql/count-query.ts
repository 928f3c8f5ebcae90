// Totals without a counter: counted from index rows, or from records where index rows do not help.
import sql, { join, type Sql } from 'sql-template-tag'
import { recordOf } from '../../objects/record-lookup.ts'
import { and } from '../../records/store.ts'
import { HIGHEST_ID, LOWEST_ID } from '../maintenance/work-store.ts'
import type { Count, Intersection } from '../planner.ts'
import type { Indexed, Prepared } from '../statistics.ts'
import { allRecords, scalarCount, totals } from './cardinality.ts'
import { own } from './scans.ts'

const NO_IDS = sql`select null::uuid as id where false`

const conditionIds = (prepared: readonly Prepared[], place: number): Sql =>
  prepared[place]?.indexCondition?.ids ?? NO_IDS

/** Ids that are in all of them. The rows of all are put in one table, for any estimate of PostgreSQL. */
const intersected = (prepared: readonly Prepared[], places: readonly number[]): Sql =>
  sql`select count(*) from (${join(
    places.map((place) => sql`(${conditionIds(prepared, place)})`),
    ' intersect ',
  )}) as i`

/**
 * All ids, in words that PostgreSQL takes for few of them. Where it believes that a table of ids has no room in memory it
 * scans all of them for each one that is searched, and its estimates are of all attributes together.
 */
const ALL_IDS = sql`between (select ${LOWEST_ID}::uuid) and (select ${HIGHEST_ID}::uuid)`

/**
 * Ids of the largest, which are looked for in tables of the smaller ones. Not a join: PostgreSQL thinks the rows of one
 * value to be few, and would scan all of one filter for each row of the other. What stands within `is true` is no join
 * to it. Two thirds of the time of an intersection.
 */
function lookedFor(prepared: readonly Prepared[], places: readonly number[]): Sql {
  const largest = places.at(-1) ?? 0
  const isIn = places.slice(0, -1).map((place) => {
    // Filtered after the ids are found: otherwise an index on ids might seem cheaper.
    const table = sql`select k.id from (${conditionIds(prepared, place)} offset 0) as k where k.id ${ALL_IDS}`
    return sql`(i.id in (${table})) is true`
  })
  return sql`select count(*) from (${conditionIds(prepared, largest)}) as i where ${join(isIn, ' and ')}`
}

/** The intersection, if it is exact in the statement's own snapshot; otherwise records are read. */
function proven(
  model: Indexed,
  prepared: readonly Prepared[],
  { filters: places, areSmall }: Intersection,
): Sql {
  const pairs = prepared.flatMap(({ cardinality, proof }) =>
    cardinality && proof ? [cardinality, proof] : [],
  )
  const count = areSmall ? lookedFor(prepared, places) : intersected(prepared, places)
  if (pairs.length === 0) return count
  const { changes, totals: sums } = totals(model, pairs)
  const holds = sums.flatMap((cardinality, place) =>
    place % 2 === 0 ? [sql`${cardinality} = ${sums[place + 1]}`] : [],
  )
  const [filter = 0] = places
  return sql`
    with changes as materialized (${changes})
    select case when ${join(holds, ' and ')} then (${count})
           else (${countQuery(model, prepared, { by: 'records', filter })}) end as count
    from changes`
}

/** All records but those that meet the contrary of the only filter: in one statement, so of one moment. */
function others(model: Indexed, [only]: readonly Prepared[]): Sql {
  const all = scalarCount(model, [{ term: allRecords(model), sign: 1 }])
  return sql`select ${all} - count(*) as count from (${only?.rest?.ids ?? NO_IDS}) as i`
}

/** A scalar query of the number of records that meet all filters. */
export function countQuery(model: Indexed, prepared: readonly Prepared[], count: Count): Sql {
  const conditions = prepared.map(({ filter }) => filter.condition)
  if (count.by === 'intersection') return proven(model, prepared, count)
  if (count.by === 'rest') return others(model, prepared)
  if (count.by === 'sure')
    return sql`select count(*) from (${prepared[0]?.indexCondition?.sure ?? NO_IDS}) as i`
  if (count.by === 'scan') return sql`select count(*) from records r where ${own(model)}${and(conditions)}`
  return sql`
    select count(*) from (${conditionIds(prepared, count.filter)}) as i ${recordOf(model, sql`i.id`, { conditions })}`
}
