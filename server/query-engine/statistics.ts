// Statistics: how many records there are, and how many meet each filter. The planner decides by them; often they are the total.
import sql, { type Sql } from 'sql-template-tag'
import { type ObjectModel, StaleModel } from '../attributes/models.ts'
import type { ObjectIndex } from '../attributes/object-index.ts'
import type { Db } from '../db/pool.ts'
import type { RecordFilter } from '../records/filters/to-sql.ts'
import { COUNT_CAP } from './cost-model.ts'
import type { FilterEstimate } from './planner.ts'
import {
  allRecords,
  type Cardinality,
  cardinalityOf,
  negatedBy,
  sameKeyCardinality,
  totals,
} from './sql/cardinality.ts'
import { indexConditionFor } from './sql/combined-conditions.ts'
import { type IndexCondition, indexConditionOf } from './sql/index-conditions.ts'

export interface Indexed extends ObjectModel {
  index: ObjectIndex
}

/** A filter with what index rows and counters have for it. */
export interface Prepared {
  filter: RecordFilter
  indexCondition: IndexCondition | undefined
  cardinality: Cardinality | undefined
  /** Equal to `cardinality` when the index condition gives exactly what the filter finds, though it could give more. */
  proof: Cardinality | undefined
  /** Where there is neither: exactly the other records, those that meet the negated filter. */
  rest?: IndexCondition | undefined
}

export interface Statistics {
  records: number
  estimates: FilterEstimate[]
}

function restOf(model: Indexed, { leaf }: RecordFilter): IndexCondition | undefined {
  const operator = leaf && negatedBy(leaf.operator)
  const rest = operator && indexConditionOf(model, model.index, { ...leaf, operator })
  return rest?.isExact ? rest : undefined
}

export function prepare(model: Indexed, filters: readonly RecordFilter[]): Prepared[] {
  return filters.map((filter) => {
    const indexCondition = indexConditionFor(model, model.index, filter)
    const cardinality = filter.leaf && cardinalityOf(model, model.index, filter.leaf)
    const isOpen = cardinality !== undefined && indexCondition?.isExact === false
    return {
      filter,
      indexCondition,
      cardinality,
      proof: isOpen ? filter.leaf && sameKeyCardinality(model, model.index, filter.leaf) : undefined,
      rest: cardinality || indexCondition ? undefined : restOf(model, filter),
    }
  })
}

const capped = ({ ids, loose = ids }: IndexCondition) =>
  sql`(select count(*) from (select from (${loose}) as i limit ${COUNT_CAP + 1}) as n)`

/** Whether there are more than were counted. */
export const isCapped = (
  { cardinality }: Pick<Prepared, 'cardinality'>,
  estimates: Pick<FilterEstimate, 'found'> | undefined,
): boolean => cardinality === undefined && (estimates?.found ?? 0) > COUNT_CAP

/** One statement: the changes that are not folded are scanned once for all counts. */
export function statisticsStatement({ org, obj, version }: Indexed, prepared: readonly Prepared[]): Sql {
  const summed = prepared.flatMap(({ cardinality }) => (cardinality ? [cardinality] : []))
  const { changes, totals: sums } = totals({ org, obj }, [
    [{ term: allRecords({ org, obj }), sign: 1 }],
    ...summed,
  ])
  const [records = sql`0`, ...rest] = sums
  const found = prepared.map(({ cardinality, indexCondition }) => {
    if (cardinality) return rest.shift() ?? sql`null`
    return indexCondition ? capped(indexCondition) : sql`null`
  })
  const list = found.reduce((columns, column) => sql`${columns}, ${column}`, sql`null::bigint`)
  return sql`
    with changes as materialized (${changes})
    select ${records} as records, array[${list}]::bigint[] as found
    from objects o, changes where o.org = ${org} and o.obj = ${obj} and o.version = ${version}`
}

function estimateOf(
  { cardinality, indexCondition, proof, rest }: Prepared,
  found: number | null,
): FilterEstimate {
  const isMore = isCapped({ cardinality }, { found: found ?? undefined })
  const isCounted = cardinality !== undefined || (indexCondition?.isExact === true && !indexCondition.loose)
  return {
    // Of those that are more than were counted it is not known how many.
    found: found ?? undefined,
    isExact: found === 0 || (found !== null && !isMore && isCounted),
    indexMatch: indexCondition === undefined ? 'none' : indexCondition.isExact ? 'exact' : 'superset',
    isOrdered: indexCondition?.isOrdered ?? false,
    isSearch: indexCondition?.isSearch ?? false,
    isProvable: proof !== undefined,
    isSure: indexCondition?.isExact === false && indexCondition.sure !== undefined,
    isRest: rest !== undefined,
  }
}

/** @throws StaleModel */
export async function readStatistics(
  db: Db,
  model: Indexed,
  prepared: readonly Prepared[],
): Promise<Statistics> {
  const row = await db.maybeOne<{ records: number; found: (string | null)[] }>(
    statisticsStatement(model, prepared),
  )
  if (!row) throw new StaleModel()
  const found = row.found.slice(1).map((one) => (one === null ? null : Number(one)))
  return {
    records: row.records,
    estimates: prepared.map((one, place) => estimateOf(one, found[place] ?? null)),
  }
}
