// Statistics for the planner: how many records there are, and how many match each filter.
import sql, { join, type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../../model/attributes/models.ts'
import type { ObjectIndex } from '../../model/attributes/object-index.ts'
import type { ObjectScope } from './index/counter-changes.ts'
import type { FilterEstimate } from './plan/access-paths.ts'
import { COUNT_CAP, UNKNOWN_RECORDS } from './plan/cost-model.ts'
import { COMMON_SHARE, isCommon, sampleOf, sampleQuery } from './sample.ts'
import { allRecords, scalarCount, totals } from './sql/cardinality.ts'
import type { IndexCondition } from './sql/index-conditions.ts'
import type { PreparedFilter } from './sql/prepared-filters.ts'
import type { RowSource } from './sql/row-source.ts'

/** A large object, with complete index rows and counters. */
export interface Indexed extends ObjectModel {
  index: ObjectIndex
}

export const isIndexed = (model: ObjectModel): model is Indexed =>
  model.index?.state === 'ready' && model.index.isCounted

export interface Statistics {
  records: number
  estimates: FilterEstimate[]
}

/** A scalar expression: the number of records of an object with complete counters. */
export const countOfAll = (owner: ObjectScope): Sql =>
  scalarCount(owner, [{ term: allRecords(owner), sign: 1 }])

const capped = ({ ids, streamedIds = ids }: IndexCondition) =>
  sql`(select count(*) from (select from (${streamedIds}) as i limit ${COUNT_CAP + 1}) as n)`

interface Asked {
  prepared: readonly PreparedFilter[]
  isTotalAsked: boolean
}

/** Whether a single filter's total has to be counted anyway. It is then not first counted up to COUNT_CAP. */
const isTotal = ({ prepared, isTotalAsked }: Asked, { isLinked }: IndexCondition): boolean =>
  isTotalAsked && isLinked === true && prepared.length === 1

/** The share of the records that each common filter finds, by the position of the filter. */
type CommonShares = ReadonlyMap<number, number>

const listed = (columns: readonly Sql[], type: Sql) => sql`array[${join([sql`null`, ...columns])}]::${type}[]`

/** Links are not counted if the targets of a reference are common: there are more links than would be counted. */
function countOf(condition: IndexCondition, place: number): Sql {
  if (!condition.targetShare) return capped(condition)
  return sql`case when shares.each[${place + 2}::int] < ${COMMON_SHARE} then ${capped(condition)} end`
}

/** One statement for all counts: the changes that are not folded are scanned once. */
function statisticsStatement(
  isCurrent: Sql,
  owner: ObjectScope,
  { common, ...asked }: Asked & { common: CommonShares },
): Sql {
  const { prepared } = asked
  const summed = prepared.flatMap(({ cardinality }) => (cardinality ? [cardinality] : []))
  const { changes, totals: sums } = totals(owner, [[{ term: allRecords(owner), sign: 1 }], ...summed])
  const [records = sql`0`, ...rest] = sums
  const found = prepared.map(({ cardinality, indexCondition }, place) => {
    if (cardinality) return rest.shift() ?? sql`null`
    if (!indexCondition || common.has(place)) return sql`null`
    return isTotal(asked, indexCondition)
      ? sql`(select count(*) from (${indexCondition.ids}) as i)`
      : countOf(indexCondition, place)
  })
  const shares = prepared.map(({ indexCondition }) =>
    indexCondition?.targetShare && !isTotal(asked, indexCondition) ? indexCondition.targetShare : sql`null`,
  )
  return sql`
    with changes as materialized (${changes}), shares as materialized (select ${listed(shares, sql`float8`)} as each)
    select ${records} as records, ${listed(found, sql`bigint`)} as found, shares.each as shares
    from objects o, changes, shares where ${isCurrent}`
}

function estimateOf(
  { cardinality, indexCondition, proof, complement }: PreparedFilter,
  found: number | undefined,
  isWhole = false,
): FilterEstimate {
  const isCounted = cardinality !== undefined
  const isCapped = !isCounted && !isWhole && found !== undefined && found > COUNT_CAP
  const hasEachOnce = indexCondition?.isExact === true && !indexCondition.streamedIds
  return {
    found,
    isExact: found === 0 || (found !== undefined && !isCapped && (isCounted || hasEachOnce)),
    isCounted,
    isCapped,
    indexMatch: indexCondition === undefined ? 'none' : indexCondition.isExact ? 'exact' : 'superset',
    isOrdered: indexCondition?.isOrdered ?? false,
    isSearch: indexCondition?.isSearch ?? false,
    isLinked: indexCondition?.isLinked ?? false,
    isProvable: proof !== undefined,
    hasExactIds: indexCondition?.isExact === false && indexCondition.exactIds !== undefined,
    hasComplement: complement !== undefined,
  }
}

/** Statistics without a statement. */
export const assumedStatistics = (prepared: readonly PreparedFilter[]): Statistics => ({
  records: UNKNOWN_RECORDS,
  estimates: prepared.map((one) => estimateOf(one, undefined)),
})

/**
 * The shares of searches that find many records. A sample shows this before all of their index rows are read.
 * @throws StaleModel
 */
async function readCommonShares(
  source: RowSource,
  owner: ObjectScope,
  prepared: readonly PreparedFilter[],
): Promise<CommonShares> {
  const searches = prepared.flatMap(({ filter, cardinality, indexCondition }, place) =>
    !cardinality && indexCondition?.isSearch ? [{ place, condition: filter.condition }] : [],
  )
  if (searches.length === 0) return new Map()
  const query = sampleQuery(
    owner,
    searches.map(({ condition }) => condition),
  )
  const { counts } = await source.row<{ counts: (string | number)[] }>(
    sql`select (${query}) as counts from objects o where ${source.isCurrent}`,
  )
  const sample = sampleOf(counts)
  return new Map(
    searches.flatMap(({ place }, index): [number, number][] => {
      const matches = sample.matches[index] ?? 0
      return isCommon(sample, matches) ? [[place, matches / sample.records]] : []
    }),
  )
}

const commonShare = (share: number | null | undefined) =>
  typeof share === 'number' && share >= COMMON_SHARE ? share : undefined

/** @throws StaleModel */
export async function readStatistics(
  source: RowSource,
  owner: ObjectScope,
  prepared: readonly PreparedFilter[],
  isTotalAsked = false,
): Promise<Statistics> {
  const asked = { prepared, isTotalAsked }
  const common = await readCommonShares(source, owner, prepared)
  const { records, found, shares } = await source.row<{
    records: number
    found: (string | null)[]
    shares: (number | null)[]
  }>(statisticsStatement(source.isCurrent, owner, { ...asked, common }))
  const counts = found.slice(1).map((one) => (one === null ? undefined : Number(one)))
  const estimates = prepared.map((one, place) => {
    const share = common.get(place) ?? commonShare(shares[place + 1])
    const isWhole = one.indexCondition !== undefined && isTotal(asked, one.indexCondition)
    return share === undefined
      ? estimateOf(one, counts[place], isWhole)
      : { ...estimateOf(one, undefined), found: Math.round(share * records), isCapped: true }
  })
  return { records, estimates }
}
