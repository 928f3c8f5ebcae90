// Plans a report with groups or measures as one statement: rows, groups, shares, gaps, conditions, order.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { amountCell, type Cell, plainReportCell, referenceCell, textCell } from './cells.ts'
import { fillGaps } from './gaps.ts'
import type { PlannedGroup } from './groups.ts'
import type { PlannedCurrency, PlannedMeasure } from './measures.ts'
import { c, g, i, m, n, v } from './names.ts'
import { type Extracts, fromObjects, isExtracted, ofSource, type PlannedObject } from './objects.ts'
import type { ReportOrder } from './ordering.ts'
import { joinName, nothingOf, orderOf } from './values.ts'

export interface Grouped {
  objects: readonly PlannedObject[]
  groups: readonly PlannedGroup[]
  measures: readonly PlannedMeasure[]
  filters: Sql | undefined
  having: Sql | undefined
  orders: readonly ReportOrder[]
  limit: number
}

function currenciesOf(measures: readonly PlannedMeasure[]): PlannedCurrency[] {
  const found = new Map(measures.flatMap(({ currency }) => (currency ? [[currency.index, currency]] : [])))
  return [...found.values()].toSorted((a, b) => a.index - b.index)
}

/** The keys of a group: dimensions, then currencies. */
const keysOf = ({ groups, measures }: Pick<Grouped, 'groups' | 'measures'>): Sql[] => [
  ...groups.map((_, index) => g(index)),
  ...currenciesOf(measures).map(({ index }) => c(index)),
]

const byKeys = (keys: readonly Sql[]) => (keys.length > 0 ? sql`group by ${join(keys)}` : empty)

const listed = (parts: readonly Sql[]) => (parts.length > 0 ? join(parts) : sql`1 as one`)

interface RowValue {
  name: Sql
  value: Sql
  /** The object whose records have the value; undefined: it is an element of a list. */
  object: PlannedObject | undefined
  /** The replacement for a missing value or record. */
  fallback?: string
}

function valuesOf({ groups, measures }: Grouped): RowValue[] {
  const amounts = new Map(measures.flatMap((one) => (one.currency ? [[one.currency.index, one]] : [])))
  return [
    ...groups.map(({ value, elements, object }, index) => ({
      name: g(index),
      value,
      object: elements ? undefined : object,
    })),
    ...[...amounts].flatMap(([index, { currency, object }]) =>
      currency ? [{ name: c(index), value: currency.value, fallback: currency.fallback, object }] : [],
    ),
    ...measures.flatMap(({ value, object }, index) => (value ? [{ name: v(index), value, object }] : [])),
  ]
}

/** Values by the object from which they are read before the join. */
function extractsOf({ objects, filters }: Grouped, values: readonly RowValue[]): Extracts | undefined {
  if (objects.length === 1 || filters) return undefined
  const early = objects
    .filter(isExtracted)
    .map((object): [PlannedObject, Sql[]] => [
      object,
      values.filter((one) => one.object === object).map(({ name, value }) => sql`${value} as ${name}`),
    ])
  return new Map(early)
}

// `offset 0` makes PostgreSQL read each value once per row, and keep whole records out of sorts and hashes. It also
// prevents a wrong estimate of the number of groups.
function rowsStatement(grouped: Grouped): Sql {
  const { objects, groups, measures, filters } = grouped
  const counted = new Set(measures.map(({ object }) => object))
  const values = valuesOf(grouped)
  const extracts = extractsOf(grouped, values)
  const columns = [
    ...values.map(({ name, value, object, fallback }) => {
      const read = object && extracts?.has(object) ? sql`${object.row}.${name}` : value
      return sql`${fallback === undefined ? read : sql`coalesce(${read}, ${fallback}::text)`} as ${name}`
    }),
    ...objects.flatMap((object, index) =>
      counted.has(object) ? [sql`${object.row}.id as ${i(index)}`] : [],
    ),
  ]
  const lists = groups.flatMap(({ elements }) => elements ?? [])
  return sql`
    select ${listed(columns)} from ${fromObjects(objects, extracts)}${join([empty, ...lists], '')}
    ${extracts ? empty : sql`where ${ofSource(objects)}${filters ? sql` and ${filters}` : empty}`}
    offset 0`
}

/** A sum over distinct records, if a record can be in several rows. */
const isSummed = ({ op, value }: PlannedMeasure) =>
  op === 'sum' || op === 'avg' || op === 'median' || (op === 'percentage' && value !== undefined)

const median = (value: Sql) => sql`round((percentile_disc(0.5) within group (order by ${value})
  + percentile_disc(0.5) within group (order by ${value} desc)) / 2, 10)`

interface Aggregated {
  measure: PlannedMeasure
  value: Sql
  id: Sql
}

function counted({ measure: { isMultiplied }, id }: Omit<Aggregated, 'value'>, condition?: Sql): Sql {
  const which = isMultiplied ? sql`distinct ${id}` : id
  return sql`count(${which})${condition ? sql` filter (where ${condition})` : empty}`
}

function aggregate({ measure, value, id }: Aggregated): Sql {
  switch (measure.op) {
    case 'countDistinct':
      return sql`count(distinct ${value})`
    case 'countEmpty':
      return counted({ measure, id }, value)
    case 'countNotEmpty':
      return counted({ measure, id }, sql`not ${value}`)
    case 'sum':
      return sql`coalesce(sum(${value}), 0)`
    case 'avg':
      return sql`round(avg(${value}), 10)`
    case 'median':
      return median(value)
    case 'min':
    case 'max': {
      const sorted = measure.kind === 'text' ? sql`${value} collate "C"` : value
      return measure.op === 'min' ? sql`min(${sorted})` : sql`max(${sorted})`
    }
    case 'percentage':
      return measure.value ? sql`coalesce(sum(${value}), 0)` : counted({ measure, id })
    default:
      return counted({ measure, id })
  }
}

const aggregateAt = ({ objects, measures }: Grouped, index: number): Sql => {
  const measure = measures[index]
  return measure ? aggregate({ measure, value: v(index), id: i(objects.indexOf(measure.object)) }) : sql`null`
}

/** Measures by their rows: all rows, or the distinct records of one object. */
function partsOf({ objects, measures }: Grouped) {
  const indexes = [...measures.keys()]
  const isOnce = (index: number) => measures[index]?.isMultiplied === true && isSummed(measures[index])
  const byObject = objects.map((object, place): [number, number[]] => [
    place,
    indexes.filter((index) => isOnce(index) && measures[index]?.object === object),
  ])
  return {
    direct: indexes.filter((index) => !isOnce(index)),
    once: byObject.filter(([, found]) => found.length > 0),
  }
}

/** Measures of the other parts are null in this one. */
const onlyOf = (grouped: Grouped, indexes: readonly number[]): Sql[] =>
  grouped.measures.map(({ kind }, index) =>
    indexes.includes(index)
      ? sql`${aggregateAt(grouped, index)} as ${m(index)}`
      : sql`${nothingOf(kind)} as ${m(index)}`,
  )

function onceStatement(grouped: Grouped, [object, indexes]: [number, number[]]): Sql {
  const keys = keysOf(grouped)
  const values = indexes.map((index) => sql`any_value(${v(index)}) as ${v(index)}`)
  return sql`
    select ${listed([...keys, ...onlyOf(grouped, indexes)])} from (
      select ${join([...keys, ...values])} from rows where ${i(object)} is not null
      group by ${join([...keys, i(object)])}) as once ${byKeys(keys)}`
}

/** `with rows as (…), groups as (…)`: measures by group; for shares, the values before the division. */
function groupsStatement(grouped: Grouped): Sql {
  const keys = keysOf(grouped)
  const { direct, once } = partsOf(grouped)
  const rows = sql`rows as (${rowsStatement(grouped)})`
  const all = sql`select ${listed([...keys, ...onlyOf(grouped, direct)])} from rows ${byKeys(keys)}`
  if (once.length === 0) return sql`${rows}, groups as (${all})`
  const parts = [all, ...once.map((part) => onceStatement(grouped, part))]
  // A group may have no record to sum.
  const together = grouped.measures.map(({ op }, index) =>
    op === 'sum' || op === 'percentage'
      ? sql`coalesce(max(${m(index)}), 0) as ${m(index)}`
      : sql`max(${m(index)}) as ${m(index)}`,
  )
  return sql`${rows}, groups as (
    select ${listed([...keys, ...together])} from (${join(parts, ' union all ')}) as parts ${byKeys(keys)})`
}

const SHARE_DECIMALS = 4
const PERCENT = 100

/** The keys of groups as the results contain them. */
const writtenKeys = ({ groups, measures }: Grouped): Sql[] => [
  ...groups.map(({ written }, index) => sql`${written(g(index))} as ${g(index)}`),
  ...currenciesOf(measures).map(({ index }) => c(index)),
]

function shared({ measures }: Grouped): Sql[] {
  return measures.map(({ op, currency }, index) => {
    if (op !== 'percentage') return m(index)
    const whole = sql`sum(${m(index)}) over (${currency ? sql`partition by ${c(currency.index)}` : empty})`
    return sql`round(${PERCENT}::int * ${m(index)} / nullif(${whole}, 0), ${SHARE_DECIMALS}::int) as ${m(index)}`
  })
}

// Without the table, ORDER BY would use the output column, which is text.
const ofFound = (name: Sql) => sql`found.${name}`

function orderOne({ groups, measures }: Grouped, { index, order }: ReportOrder): Sql {
  const group = groups[index]
  if (group) {
    const value = ofFound(g(index))
    return orderOf(group, group.target ? sql`coalesce(${n(index)}.name, ${value})` : value, order)
  }
  const place = index - groups.length
  const value = ofFound(m(place))
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  return sql`${measures[place]?.kind === 'text' ? sql`${value} collate "C"` : value} ${direction} nulls last`
}

/** In the requested order, then by dimensions and currencies, so that the order is total. */
function ordersOf(grouped: Grouped): Sql[] {
  const { groups, measures, orders } = grouped
  const rest = groups.map((_, index): ReportOrder => ({ index, order: 'asc' }))
  const sorted = [...orders, ...rest.filter(({ index }) => !orders.some((one) => one.index === index))]
  const ids = groups.flatMap(({ target }, index) => (target ? [sql`${ofFound(g(index))} nulls last`] : []))
  const currencies = currenciesOf(measures).map(({ index }) => ofFound(c(index)))
  return [...sorted.map((order) => orderOne(grouped, order)), ...ids, ...currencies]
}

function shownColumns({ groups, measures }: Grouped): Sql[] {
  return [
    ...groups.flatMap(({ target }, index) => [
      sql`${g(index)}::text as ${g(index)}`,
      ...(target ? [sql`${n(index)}.name as ${n(index)}`] : []),
    ]),
    ...currenciesOf(measures).map(({ index }) => c(index)),
    ...measures.map(({ kind }, index) =>
      kind === 'text' ? m(index) : sql`trim_scale(${m(index)}::numeric)::text as ${m(index)}`,
    ),
  ]
}

/** Rows of texts: `g0`, …, names `n0`, …, currencies `c0`, …, measures `m0`, … */
export function groupedStatement(grouped: Grouped): Sql {
  const { groups, measures, having, limit } = grouped
  const gaps = fillGaps({ groups, measures, currencies: currenciesOf(measures) })
  const names = groups.flatMap(({ target }, index) =>
    target ? [joinName(target, { id: sql`found.${g(index)}`, name: n(index) })] : [],
  )
  const orders = ordersOf(grouped)
  return sql`
    with ${groupsStatement(grouped)},
    measured as (select ${listed([...writtenKeys(grouped), ...shared(grouped)])} from groups)${gaps?.statements ?? empty}
    select ${listed(shownColumns(grouped))} from ${gaps?.rows ?? sql`measured`} as found${join([empty, ...names], '')}
    ${having ? sql`where ${having}` : empty}
    ${orders.length > 0 ? sql`order by ${join(orders)}` : empty}
    limit ${limit}`
}

function groupCell({ column, kind, target }: PlannedGroup, index: number): Cell {
  if (target) return referenceCell(`g${index}`, `n${index}`)
  return kind === 'number' || column.type === 'checkbox'
    ? plainReportCell(`g${index}`)
    : textCell(`g${index}`)
}

function measureCell({ kind, currency, column }: PlannedMeasure, index: number): Cell {
  if (currency && column.type === 'currency') return amountCell(`m${index}`, `c${currency.index}`)
  return kind === 'text' ? textCell(`m${index}`) : plainReportCell(`m${index}`)
}

export const groupedCells = ({ groups, measures }: Pick<Grouped, 'groups' | 'measures'>): Cell[] => [
  ...groups.map(groupCell),
  ...measures.map(measureCell),
]
