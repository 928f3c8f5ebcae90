// Statistics: how many records there are, and how many match each filter. The planner decides by them.
import sql, { type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../attributes/models.ts'
import type { ObjectIndex } from '../attributes/object-index.ts'
import type { FilterEstimate } from './access-paths.ts'
import { COUNT_CAP, UNKNOWN_RECORDS } from './cost-model.ts'
import type { Owner } from './maintenance/counter-changes.ts'
import { allRecords, totals } from './sql/cardinality.ts'
import type { IndexCondition } from './sql/index-conditions.ts'
import type { PreparedFilter } from './sql/prepared-filters.ts'
import type { RowSource } from './sql/row-source.ts'

/** A large object: one with complete index rows and counters. */
export interface Indexed extends ObjectModel {
  index: ObjectIndex
}

export const isIndexed = (model: ObjectModel): model is Indexed =>
  model.index?.state === 'ready' && model.index.isCounted

export interface Statistics {
  records: number
  estimates: FilterEstimate[]
}

const capped = ({ ids, streamedIds = ids }: IndexCondition) =>
  sql`(select count(*) from (select from (${streamedIds}) as i limit ${COUNT_CAP + 1}) as n)`

/** One statement: the changes that are not folded are scanned once for all counts. */
function statisticsStatement(isCurrent: Sql, owner: Owner, prepared: readonly PreparedFilter[]): Sql {
  const summed = prepared.flatMap(({ cardinality }) => (cardinality ? [cardinality] : []))
  const { changes, totals: sums } = totals(owner, [[{ term: allRecords(owner), sign: 1 }], ...summed])
  const [records = sql`0`, ...rest] = sums
  const found = prepared.map(({ cardinality, indexCondition }) => {
    if (cardinality) return rest.shift() ?? sql`null`
    return indexCondition ? capped(indexCondition) : sql`null`
  })
  const list = found.reduce((columns, column) => sql`${columns}, ${column}`, sql`null::bigint`)
  return sql`
    with changes as materialized (${changes})
    select ${records} as records, array[${list}]::bigint[] as found
    from objects o, changes where ${isCurrent}`
}

function estimateOf(
  { cardinality, indexCondition, proof, complement }: PreparedFilter,
  found: number | undefined,
): FilterEstimate {
  const isCounted = cardinality !== undefined
  const isCapped = !isCounted && found !== undefined && found > COUNT_CAP
  const hasEachOnce = indexCondition?.isExact === true && !indexCondition.streamedIds
  return {
    found,
    isExact: found === 0 || (found !== undefined && !isCapped && (isCounted || hasEachOnce)),
    isCounted,
    isCapped,
    indexMatch: indexCondition === undefined ? 'none' : indexCondition.isExact ? 'exact' : 'superset',
    isOrdered: indexCondition?.isOrdered ?? false,
    isSearch: indexCondition?.isSearch ?? false,
    isProvable: proof !== undefined,
    hasExactIds: indexCondition?.isExact === false && indexCondition.exactIds !== undefined,
    hasComplement: complement !== undefined,
  }
}

/** What is known without a statement. */
export const assumedStatistics = (prepared: readonly PreparedFilter[]): Statistics => ({
  records: UNKNOWN_RECORDS,
  estimates: prepared.map((one) => estimateOf(one, undefined)),
})

/** @throws StaleModel */
export async function readStatistics(
  source: RowSource,
  owner: Owner,
  prepared: readonly PreparedFilter[],
): Promise<Statistics> {
  const { records, found } = await source.row<{ records: number; found: (string | null)[] }>(
    statisticsStatement(source.isCurrent, owner, prepared),
  )
  const counts = found.slice(1).map((one) => (one === null ? undefined : Number(one)))
  return { records, estimates: prepared.map((one, place) => estimateOf(one, counts[place])) }
}
