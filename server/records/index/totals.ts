// Totals that no counter tells: counted from index rows, or where they do not help, from records.
import sql, { join, type Sql } from 'sql-template-tag'
import { recordOf } from '../../objects/record-lookup.ts'
import { and } from '../store.ts'
import { AFTER_ALL, BEFORE_ALL } from './background/work-store.ts'
import type { Indexed, Prepared } from './measure.ts'
import type { Count, Intersection } from './planner.ts'
import { allRecords, scalarOf, totals } from './tallies.ts'
import { own } from './ways.ts'

const NO_IDS = sql`select null::uuid as id where false`

const probeIds = (prepared: readonly Prepared[], place: number): Sql => prepared[place]?.probe?.ids ?? NO_IDS

/** Ids that are in all of them. Of many, the rows are put in one table, whatever is known of how many they are. */
const intersected = (prepared: readonly Prepared[], places: readonly number[]): Sql =>
  sql`select count(*) from (${join(
    places.map((place) => sql`(${probeIds(prepared, place)})`),
    ' intersect ',
  )}) as i`

/**
 * All ids, in words that PostgreSQL takes for few of them. Where it believes that a table of ids has no room in memory it
 * goes through all of them for each one that is looked for, and its beliefs are of all attributes together.
 */
const ALL_IDS = sql`between (select ${BEFORE_ALL}::uuid) and (select ${AFTER_ALL}::uuid)`

/**
 * Ids of the largest, which are looked for in tables of the smaller ones. Not a join: PostgreSQL thinks the rows of one
 * value to be few, and would go through all of one filter for each of the other. What stands within `is true` is no join
 * to it. Two thirds of the time of an intersection.
 */
function lookedFor(prepared: readonly Prepared[], places: readonly number[]): Sql {
  const largest = places.at(-1) ?? 0
  const isIn = places.slice(0, -1).map((place) => {
    // Asked of ids that were found, or an index on ids might seem the quickest way to them.
    const table = sql`select k.id from (${probeIds(prepared, place)} offset 0) as k where k.id ${ALL_IDS}`
    return sql`(i.id in (${table})) is true`
  })
  return sql`select count(*) from (${probeIds(prepared, largest)}) as i where ${join(isIn, ' and ')}`
}

/** The intersection, if it is exact in the statement's own snapshot; otherwise records are looked at. */
function proven(
  model: Indexed,
  prepared: readonly Prepared[],
  { filters: places, areSmall }: Intersection,
): Sql {
  const pairs = prepared.flatMap(({ sum, proof }) => (sum && proof ? [sum, proof] : []))
  const count = areSmall ? lookedFor(prepared, places) : intersected(prepared, places)
  if (pairs.length === 0) return count
  const { changes, totals: sums } = totals(model, pairs)
  const holds = sums.flatMap((sum, place) => (place % 2 === 0 ? [sql`${sum} = ${sums[place + 1]}`] : []))
  const [filter = 0] = places
  return sql`
    with changes as materialized (${changes})
    select case when ${join(holds, ' and ')} then (${count})
           else (${countQuery(model, prepared, { by: 'records', filter })}) end as count
    from changes`
}

/** All records but those that meet the contrary of the only filter: in one statement, so of one moment. */
function others(model: Indexed, [only]: readonly Prepared[]): Sql {
  const all = scalarOf(model, [{ tally: allRecords(model), sign: 1 }])
  return sql`select ${all} - count(*) as count from (${only?.rest?.ids ?? NO_IDS}) as i`
}

/** A scalar query of the number of records that meet all filters. */
export function countQuery(model: Indexed, prepared: readonly Prepared[], count: Count): Sql {
  const conditions = prepared.map(({ filter }) => filter.condition)
  if (count.by === 'intersection') return proven(model, prepared, count)
  if (count.by === 'rest') return others(model, prepared)
  if (count.by === 'sure') return sql`select count(*) from (${prepared[0]?.probe?.sure ?? NO_IDS}) as i`
  if (count.by === 'scan') return sql`select count(*) from records r where ${own(model)}${and(conditions)}`
  return sql`
    select count(*) from (${probeIds(prepared, count.filter)}) as i ${recordOf(model, sql`i.id`, { conditions })}`
}
