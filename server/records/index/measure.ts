// How many records there are, and how many meet each filter: what the planner decides by, and often the total.
import sql, { type Sql } from 'sql-template-tag'
import { type ObjectModel, STALE } from '../../attributes/models.ts'
import type { ObjectIndex } from '../../attributes/object-index.ts'
import type { Db } from '../../db/pool.ts'
import type { RecordFilter } from '../filters.ts'
import type { FilterFacts } from './planner.ts'
import { type Probe, probeOf } from './probes.ts'
import { allRecords, CONTRARIES, type Sum, sameKeySum, sumOf, totals } from './tallies.ts'
import { probeFor } from './unions.ts'

export interface Indexed extends ObjectModel {
  index: ObjectIndex
}

/** A filter with what index rows and counters have for it. */
export interface Prepared {
  filter: RecordFilter
  probe: Probe | undefined
  sum: Sum | undefined
  /** As large as `sum` when the probe gives exactly what the filter finds, though it could give more. */
  proof: Sum | undefined
  /** Where neither tells: exactly the others, those that meet the contrary. */
  rest?: Probe | undefined
}

export interface Measured {
  records: number
  facts: FilterFacts[]
}

/** More than that many ids are as good as all: then they are not counted on. */
const CAP = 5000

function restOf(model: Indexed, { leaf }: RecordFilter): Probe | undefined {
  const operator = leaf && CONTRARIES[leaf.operator]
  const rest = operator && probeOf(model, model.index, { ...leaf, operator })
  return rest?.isExact ? rest : undefined
}

export function prepare(model: Indexed, filters: readonly RecordFilter[]): Prepared[] {
  return filters.map((filter) => {
    const probe = probeFor(model, model.index, filter)
    const sum = filter.leaf && sumOf(model, model.index, filter.leaf)
    const isOpen = sum !== undefined && probe?.isExact === false
    return {
      filter,
      probe,
      sum,
      proof: isOpen ? filter.leaf && sameKeySum(model, model.index, filter.leaf) : undefined,
      rest: sum || probe ? undefined : restOf(model, filter),
    }
  })
}

const capped = ({ ids, loose = ids }: Probe) =>
  sql`(select count(*) from (select from (${loose}) as i limit ${CAP + 1}) as n)`

/** Whether there are more than were counted. */
export const isCapped = (
  { sum }: Pick<Prepared, 'sum'>,
  facts: Pick<FilterFacts, 'found'> | undefined,
): boolean => sum === undefined && (facts?.found ?? 0) > CAP

/** One statement: the changes that are not folded are gone through once, whatever is counted. */
export function measureStatement({ org, obj, version }: Indexed, prepared: readonly Prepared[]): Sql {
  const summed = prepared.flatMap(({ sum }) => (sum ? [sum] : []))
  const { changes, totals: sums } = totals({ org, obj }, [
    [{ tally: allRecords({ org, obj }), sign: 1 }],
    ...summed,
  ])
  const [records = sql`0`, ...rest] = sums
  const found = prepared.map(({ sum, probe }) => {
    if (sum) return rest.shift() ?? sql`null`
    return probe ? capped(probe) : sql`null`
  })
  const list = found.reduce((columns, column) => sql`${columns}, ${column}`, sql`null::bigint`)
  return sql`
    with changes as materialized (${changes})
    select ${records} as records, array[${list}]::bigint[] as found
    from objects o, changes where o.org = ${org} and o.obj = ${obj} and o.version = ${version}`
}

function factsOf({ sum, probe, proof, rest }: Prepared, found: number | null): FilterFacts {
  const isMore = isCapped({ sum }, { found: found ?? undefined })
  const isCounted = sum !== undefined || (probe?.isExact === true && !probe.loose)
  return {
    // Of those that are more than were counted it is not known how many.
    found: found ?? undefined,
    isExact: found === 0 || (found !== null && !isMore && isCounted),
    probe: probe === undefined ? 'none' : probe.isExact ? 'exact' : 'more',
    isOrdered: probe?.isOrdered ?? false,
    isSearch: probe?.isSearch ?? false,
    isProvable: proof !== undefined,
    isSure: probe?.isExact === false && probe.sure !== undefined,
    isRest: rest !== undefined,
  }
}

/** @returns STALE when the model is out of date */
export async function measure(
  db: Db,
  model: Indexed,
  prepared: readonly Prepared[],
): Promise<Measured | typeof STALE> {
  const row = await db.maybeOne<{ records: number; found: (string | null)[] }>(
    measureStatement(model, prepared),
  )
  if (!row) return STALE
  const found = row.found.slice(1).map((one) => (one === null ? null : Number(one)))
  return { records: row.records, facts: prepared.map((one, place) => factsOf(one, found[place] ?? null)) }
}
