// The differences between two runs of a report. Rows match if their groups are the same.
import { NUMBER_TYPES } from '../../../../contract/attribute-types.ts'
import type { ReportResults, ResultColumn } from '../../../../contract/reports.ts'
import { currencyOf, groupsOf } from '../chart/readings.ts'
import { growth, identityText, isSame } from './cells.ts'

type Results = Pick<ReportResults, 'columns' | 'rows'>
export type Row = ReportResults['rows'][number]

export interface CellChange {
  from: unknown
  to: unknown
  /** Exact decimal; undefined if a value is not a number, or the currencies differ. */
  delta: string | undefined
}

export interface RowDifference {
  kind: 'added' | 'removed' | 'changed' | 'same'
  before: Row | undefined
  after: Row | undefined
  /** Changes by key of the compared column. */
  changes: Readonly<Record<string, CellChange>>
}

export interface Difference {
  /** The columns by which rows are matched. */
  keys: readonly ResultColumn[]
  compared: readonly ResultColumn[]
  /** In the order of the later run, then the removed rows. */
  rows: readonly RowDifference[]
  /** Columns that only one run has. */
  onlyBefore: readonly ResultColumn[]
  onlyAfter: readonly ResultColumn[]
}

const isAlike = (a: ResultColumn, b: ResultColumn) =>
  a.key === b.key && a.role === b.role && a.type === b.type && a.bucket === b.bucket

/** Splits `some` into columns that `others` have too, and the rest. */
const split = (some: readonly ResultColumn[], others: readonly ResultColumn[]) => {
  const isThere = (one: ResultColumn) => others.some((other) => isAlike(one, other))
  return { common: some.filter(isThere), own: some.filter((one) => !isThere(one)) }
}

const keyText = (row: Row, columns: readonly ResultColumn[]) =>
  JSON.stringify(columns.map(({ key }) => identityText(row[key])))

const areDistinct = ({ rows }: Results, columns: readonly ResultColumn[]) =>
  new Set(rows.map((row) => keyText(row, columns))).size === rows.length

/** Types of columns that identify a row better than columns of measured values. */
const NAMING = ['reference', 'member', 'text', 'name', 'email', 'phone_number', 'domain']
const CHANGING: ReadonlySet<string> = new Set([...NUMBER_TYPES, 'date', 'timestamp', 'checkbox'])

const namingRank = ({ type }: ResultColumn): number => {
  if (NAMING.includes(type)) return 0
  return CHANGING.has(type) ? 2 : 1
}

/** The groups; for plain rows the column with unique values in both runs, else all columns. */
function keysOf(common: readonly ResultColumn[], before: Results, after: Results): ResultColumn[] {
  const groups = groupsOf(after.columns).filter((one) => common.includes(one))
  if (groups.length > 0 || common.some(({ role }) => role === 'measure')) return groups
  const inRank = common.toSorted((a, b) => namingRank(a) - namingRank(b))
  const telling = inRank.find((one) => areDistinct(before, [one]) && areDistinct(after, [one]))
  return telling ? [telling] : [...common]
}

/** The currency of each amount column of a row; '' without an amount. A group has one row per currency. */
const currenciesOf = (row: Row, columns: readonly ResultColumn[]): string[] =>
  columns.filter(({ perCurrency }) => perCurrency).map((column) => currencyOf(column, row) ?? '')

interface Keyed {
  row: Row
  group: string
  currencies: readonly string[]
}

function take(from: Keyed[], isWanted: (one: Keyed) => boolean): Row | undefined {
  const index = from.findIndex(isWanted)
  return index < 0 ? undefined : from.splice(index, 1)[0]?.row
}

/** The earlier row that matches `one`: of the same currency, or the only row if one of them has no amount. */
function counterpart(one: Keyed, candidates: Keyed[], isOnly: boolean): Row | undefined {
  const isOf = (other: Keyed, isAlike: (a: string, b: string | undefined) => boolean) =>
    other.currencies.every((currency, index) => isAlike(currency, one.currencies[index]))
  const same = take(candidates, (other) => isOf(other, (a, b) => a === b))
  if (same || !isOnly || candidates.length !== 1) return same
  return take(candidates, (other) => isOf(other, (a, b) => a === b || a === '' || b === ''))
}

function changesOf(before: Row, after: Row, compared: readonly ResultColumn[]): RowDifference['changes'] {
  const changes = compared.flatMap(({ key, type }): [string, CellChange][] => {
    const [from, to] = [before[key] ?? null, after[key] ?? null]
    const isNumber = type === 'number' || type === 'percentage'
    return isSame(from, to, isNumber) ? [] : [[key, { from, to, delta: growth(from, to) }]]
  })
  return Object.fromEntries(changes)
}

function compareRows(before: Row, after: Row, compared: readonly ResultColumn[]): RowDifference {
  const changes = changesOf(before, after, compared)
  return { kind: Object.keys(changes).length > 0 ? 'changed' : 'same', before, after, changes }
}

/**
 * Compares the common columns of both runs; undefined if the groups differ, so that no rows can match.
 * @param before the earlier run
 */
export function differenceOf(before: Results, after: Results): Difference | undefined {
  const { common, own: onlyAfter } = split(after.columns, before.columns)
  const { own: onlyBefore } = split(before.columns, after.columns)
  const keys = keysOf(common, before, after)
  const groups = [...groupsOf(before.columns), ...groupsOf(after.columns)]
  if (common.length === 0 || [...onlyBefore, ...onlyAfter].some((one) => groups.includes(one)))
    return undefined
  const compared = common.filter((one) => !keys.includes(one))
  const keyed = (row: Row): Keyed => ({
    row,
    group: keyText(row, keys),
    currencies: currenciesOf(row, compared),
  })
  const [left, right] = [before.rows.map(keyed), after.rows.map(keyed)]
  const earlier = Map.groupBy(left, ({ group }) => group)
  const later = Map.groupBy(right, ({ group }) => group)
  const found = right.map((one): RowDifference => {
    const isOnly = later.get(one.group)?.length === 1
    const row = counterpart(one, earlier.get(one.group) ?? [], isOnly)
    if (row) return compareRows(row, one.row, compared)
    return { kind: 'added', before: undefined, after: one.row, changes: changesOf({}, one.row, compared) }
  })
  const removed = [...earlier.values()].flat().map(
    ({ row }): RowDifference => ({
      ...{ kind: 'removed', before: row, after: undefined },
      changes: changesOf(row, {}, compared),
    }),
  )
  return { keys, compared, rows: [...found, ...removed], onlyBefore, onlyAfter }
}

/** The absolute difference; -1 if the value is unchanged. */
export function sizeOf({ changes }: RowDifference, key: string): number {
  const change = changes[key]
  if (!change) return -1
  return change.delta === undefined ? 0 : Math.abs(Number(change.delta))
}

export type Counts = Readonly<Record<RowDifference['kind'], number>>

export function countKinds(rows: readonly RowDifference[]): Counts {
  const counts = { added: 0, removed: 0, changed: 0, same: 0 }
  for (const { kind } of rows) counts[kind]++
  return counts
}
