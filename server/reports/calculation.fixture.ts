// Calculates the results of a report in plain JavaScript over plain records. Tests compare them with the real results.
import type { Tree } from '../../contract/filters.ts'
import type { ReportDefinition, ReportGroupBy, ReportMeasure } from '../../contract/reports.ts'
import { matchesModel, matchesModelTree } from '../records/filters/model.fixture.ts'
import { average, type Decimal, decimalOf, type Fraction, roundTo, toNumber } from './decimal.fixture.ts'
import { OBJECTS, type PlainRecord, type World } from './world.fixture.ts'

type Tuple = Readonly<Record<string, PlainRecord | null>>
type Definition = Omit<ReportDefinition, 'name'>

interface Calculation {
  definition: Definition
  world: World
  /** Slug of the object behind each alias. */
  objectOf: Map<string, string>
}

const TIME_ZONE = 'UTC'
const DEFAULT_CURRENCY = 'USD'

function attributeOf({ objectOf }: Calculation, field: string) {
  const [alias = '', slug = ''] = field.split('.')
  const object = objectOf.get(alias) ?? ''
  if (slug === 'id') return { type: 'reference' as const, isList: false }
  if (slug === 'created_at') return { type: 'date' as const, isList: false }
  const attribute = OBJECTS[object]?.[slug]
  if (!attribute) throw new Error(`The calculation does not know ${field}`)
  return { isList: false, ...attribute }
}

/** The calendar day of a timestamp in a time zone, calculated by Intl. */
function localDay(ms: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const named = Object.fromEntries(parts.formatToParts(ms).map(({ type, value }) => [type, value]))
  return `${named['year']}-${named['month']}-${named['day']}`
}

function valueAt(tuple: Tuple, field: string, timeZone = TIME_ZONE): unknown {
  const [alias = '', slug = '', part] = field.split('.')
  const record = tuple[alias]
  if (!record) return undefined
  if (slug === 'id') return record.id
  if (slug === 'created_at') return localDay(record.createdMs, timeZone)
  const value = record.data[slug]
  return part === undefined ? value : (value as Record<string, unknown> | undefined)?.[part]
}

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat())

function tuplesOf({ definition: { source, joins = [] }, world, objectOf }: Calculation): Tuple[] {
  let tuples: Tuple[] = (world[source.objectId] ?? []).map((record) => ({ [source.alias]: record }))
  for (const { alias, via, objectId, to, type } of joins) {
    const [from = '', slug = ''] = via.split('.')
    const candidates = world[objectOf.get(alias) ?? ''] ?? []
    tuples = tuples.flatMap((tuple) => {
      const other = tuple[objectId === undefined ? from : (to ?? '')]
      const found = candidates.filter((one) =>
        objectId === undefined
          ? other && listOf(other.data[slug]).includes(one.id)
          : other && listOf(one.data[slug]).includes(other.id),
      )
      const none = type === 'inner' ? [] : [{ ...tuple, [alias]: null }]
      return found.length > 0 ? found.map((record) => ({ ...tuple, [alias]: record })) : none
    })
  }
  return tuples
}

interface Leaf {
  field: string
  operator: Parameters<typeof matchesModel>[0]['operator']
  value: string | string[]
}

const holds = (calculation: Calculation, tree: Tree<Leaf>, tuple: Tuple): boolean =>
  matchesModelTree(tree, ({ field, operator, value }) => {
    const { type, isList } = attributeOf(calculation, field)
    return matchesModel({ type, isList, operator, operand: value }, valueAt(tuple, field))
  })

const DAY_MS = 86_400_000
const dayText = (date: Date) => date.toISOString().slice(0, 10)

function bucketStart(day: string, bucket: ReportGroupBy['bucket'] = 'day'): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  if (bucket === 'year') return `${day.slice(0, 4)}-01-01`
  if (bucket === 'quarter') return dayText(new Date(Date.UTC(year, month - 1 - ((month - 1) % 3), 1)))
  if (bucket === 'month') return dayText(new Date(Date.UTC(year, month - 1, 1)))
  if (bucket === 'day') return day
  const at = Date.UTC(year, month - 1, date)
  let monday = at
  while (new Date(monday).getUTCDay() !== 1) monday -= DAY_MS
  return dayText(new Date(monday))
}

function groupValues(calculation: Calculation, group: ReportGroupBy, tuple: Tuple): unknown[] {
  const { type, isList } = attributeOf(calculation, group.field)
  const value = valueAt(tuple, group.field, group.timezone)
  if (isList || type === 'list') {
    const different = [...new Set(listOf(value))]
    return different.length > 0 ? different : [null]
  }
  if (value === undefined) return [null]
  return [type === 'date' ? bucketStart(String(value), group.bucket) : value]
}

const AMOUNTS = ['sum', 'avg', 'min', 'max', 'median', 'percentage']

const isAmount = (calculation: Calculation, { op, field }: ReportMeasure) =>
  field !== undefined && AMOUNTS.includes(op) && attributeOf(calculation, field).type === 'currency'

interface Group {
  keys: unknown[]
  currencies: string[]
  tuples: Tuple[]
}

const product = (lists: unknown[][]): unknown[][] =>
  lists.reduce<unknown[][]>((made, list) => made.flatMap((one) => list.map((value) => [...one, value])), [[]])

function currencyFields(calculation: Calculation): string[] {
  const amounts = (calculation.definition.measures ?? []).filter((one) => isAmount(calculation, one))
  return [...new Set(amounts.map(({ field = '' }) => field))]
}

const currencyAt = (tuple: Tuple, field: string): string =>
  (valueAt(tuple, field) as { currency: string } | undefined)?.currency ?? DEFAULT_CURRENCY

function groupsOf(calculation: Calculation, tuples: readonly Tuple[]): Group[] {
  const { groupBy = [] } = calculation.definition
  const fields = currencyFields(calculation)
  const groups = new Map<string, Group>()
  for (const tuple of tuples) {
    const currencies = fields.map((field) => currencyAt(tuple, field))
    for (const keys of product(groupBy.map((group) => groupValues(calculation, group, tuple)))) {
      const name = JSON.stringify([keys, currencies])
      const group = groups.get(name) ?? { keys, currencies, tuples: [] }
      groups.set(name, group)
      group.tuples.push(tuple)
    }
  }
  const isEmptyWhole = groups.size === 0 && groupBy.length === 0
  return isEmptyWhole
    ? [{ keys: [], currencies: fields.map(() => DEFAULT_CURRENCY), tuples: [] }]
    : [...groups.values()]
}

/** The distinct records of the measure's object in the tuples, as tuples of only that object. */
function recordsOf(alias: string, tuples: readonly Tuple[]): Tuple[] {
  const records = new Map(tuples.flatMap((tuple) => (tuple[alias] ? [[tuple[alias].id, tuple[alias]]] : [])))
  return [...records.values()].map((record) => ({ [alias]: record }))
}

const numberIn = (value: unknown): Decimal =>
  decimalOf(typeof value === 'object' ? (value as { amount: number }).amount : (value as number))

const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0)

const byValue = (a: Decimal, b: Decimal) => (a < b ? -1 : a > b ? 1 : 0)

function medianOf(numbers: Decimal[]): Fraction | null {
  const sorted = numbers.toSorted(byValue)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : average([low, high])
}

const sumOf = (numbers: readonly Decimal[]): Decimal => numbers.reduce((sum, one) => sum + one, 0n)

type Measured = Fraction | string | null

const whole = (value: number | bigint): Fraction => ({ over: BigInt(value), under: 1n })

function extreme(op: 'min' | 'max', values: unknown[], isDay: boolean): Measured {
  const sorted = isDay ? values.map(String).sort() : values.map(numberIn).sort(byValue)
  const found = op === 'min' ? sorted[0] : sorted.at(-1)
  if (found === undefined) return null
  return typeof found === 'string' ? found : average([found])
}

/** For percentages, the value before the division. */
function measureOf(
  calculation: Calculation,
  { op, field }: ReportMeasure,
  tuples: readonly Tuple[],
): Measured {
  const [alias = ''] = (field ?? calculation.definition.source.alias).split('.')
  const records = recordsOf(alias, tuples)
  const values = field === undefined ? [] : records.map((tuple) => valueAt(tuple, field))
  const present = values.filter((value) => !isEmpty(value))
  switch (op) {
    case 'countEmpty':
      return whole(values.length - present.length)
    case 'countNotEmpty':
      return whole(present.length)
    case 'countDistinct':
      return whole(new Set(present.map((value) => JSON.stringify(value))).size)
    case 'sum':
      return average([sumOf(present.map(numberIn))])
    case 'avg':
      return present.length > 0 ? average(present.map(numberIn)) : null
    case 'median':
      return medianOf(present.map(numberIn))
    case 'min':
    case 'max':
      return extreme(op, present, field !== undefined && attributeOf(calculation, field).type === 'date')
    case 'percentage':
      return field === undefined ? whole(records.length) : average([sumOf(present.map(numberIn))])
    default:
      return whole(records.length)
  }
}

interface Row {
  keys: unknown[]
  currencies: string[]
  measured: Measured[]
}

const DECIMALS = 10
const SHARE_DECIMALS = 4

function shareOf(part: Measured, all: readonly Measured[]): Measured {
  const scale = (one: Measured): bigint =>
    one === null || typeof one === 'string' ? 0n : (one.over * 10_000n) / one.under
  const total = all.reduce((sum, one) => sum + scale(one), 0n)
  return total === 0n ? null : { over: scale(part) * 100n, under: total }
}

function withShares(calculation: Calculation, rows: readonly Row[]): Row[] {
  const { measures = [] } = calculation.definition
  const fields = currencyFields(calculation)
  return rows.map((row) => ({
    ...row,
    measured: row.measured.map((value, index) => {
      const measure = measures[index]
      if (measure?.op !== 'percentage') return value
      const place = isAmount(calculation, measure) ? fields.indexOf(measure.field ?? '') : -1
      const same = rows.filter(
        ({ currencies }) => place === -1 || currencies[place] === row.currencies[place],
      )
      return shareOf(
        value,
        same.map(({ measured }) => measured[index] ?? null),
      )
    }),
  }))
}

function nextBucket(day: string, bucket: ReportGroupBy['bucket'] = 'day'): string {
  // The start of a bucket plus its longest length is always in the next bucket.
  const days = { day: 1, week: 7, month: 31, quarter: 92, year: 366 }[bucket]
  return bucketStart(dayText(new Date(Date.parse(day) + days * DAY_MS)), bucket)
}

const ZERO = ['count', 'countDistinct', 'countEmpty', 'countNotEmpty', 'sum', 'percentage']

function between(rows: readonly Row[], index: number, bucket: ReportGroupBy['bucket']): string[] {
  const days = rows.flatMap(({ keys }) => (typeof keys[index] === 'string' ? [keys[index]] : [])).sort()
  const last = days.at(-1) ?? ''
  const made: string[] = []
  for (let day = days[0]; day !== undefined && day <= last; day = nextBucket(day, bucket)) made.push(day)
  return made
}

function withGaps({ definition: { groupBy = [], measures = [] } }: Calculation, rows: readonly Row[]): Row[] {
  if (!groupBy.some(({ fill }) => fill)) return [...rows]
  const filled = new Map<string, Row>()
  const nothing = measures.map(({ op }) => (ZERO.includes(op) ? whole(0) : null))
  for (const { keys, currencies } of rows) {
    const choices = groupBy.map(({ fill, bucket }, index) =>
      fill ? between(rows, index, bucket) : [keys[index]],
    )
    for (const combination of product(choices))
      filled.set(JSON.stringify([combination, currencies]), {
        keys: combination,
        currencies,
        measured: nothing,
      })
  }
  for (const row of rows) {
    const measured = row.measured.map((value, index) => value ?? nothing[index] ?? null)
    filled.set(JSON.stringify([row.keys, row.currencies]), { ...row, measured })
  }
  return [...filled.values()]
}

function shownRow(calculation: Calculation, { keys, currencies, measured }: Row): Record<string, unknown> {
  const { groupBy = [], measures = [] } = calculation.definition
  const fields = currencyFields(calculation)
  const dimensions = groupBy.map(({ key }, index) => [key, keys[index]])
  const values = measures.map((measure, index) => {
    const value = measured[index] ?? null
    const decimals = measure.op === 'percentage' ? SHARE_DECIMALS : DECIMALS
    const shown =
      value === null || typeof value === 'string' ? value : toNumber(roundTo(value, decimals), decimals)
    if (shown === null || measure.op === 'percentage' || !isAmount(calculation, measure))
      return [measure.key, shown]
    return [measure.key, { amount: shown, currency: currencies[fields.indexOf(measure.field ?? '')] }]
  })
  const named = fields.flatMap((field, place) => {
    const own = measures.filter((measure) => isAmount(calculation, measure) && measure.field === field)
    const share = own.find(({ op }) => op === 'percentage')
    return share && own.every(({ op }) => op !== 'sum') ? [{ share, place }] : []
  })
  const order = named.toSorted((a, b) => measures.indexOf(a.share) - measures.indexOf(b.share))
  const names = order.map(({ share, place }) => [`${share.key}_currency`, currencies[place]])
  return Object.fromEntries([...dimensions, ...values, ...names])
}

function objectsOf({ source, joins = [] }: Definition): Map<string, string> {
  const objectOf = new Map([[source.alias, source.objectId]])
  for (const { alias, via, objectId } of joins) {
    const [from = '', slug = ''] = via.split('.')
    objectOf.set(alias, objectId ?? OBJECTS[objectOf.get(from) ?? '']?.[slug]?.to ?? '')
  }
  return objectOf
}

/** The rows of a report with groups or measures, in any order; references as ids. */
export function calculate(definition: Definition, world: World): Record<string, unknown>[] {
  const calculation = { definition, world, objectOf: objectsOf(definition) }
  const { filters, measures = [] } = definition
  const tuples = tuplesOf(calculation).filter(
    (tuple) => !filters || holds(calculation, filters as unknown as Tree<Leaf>, tuple),
  )
  const rows = groupsOf(calculation, tuples).map(({ keys, currencies, tuples: own }) => ({
    keys,
    currencies,
    measured: measures.map((measure) => measureOf(calculation, measure, own)),
  }))
  const shared = withGaps(calculation, withShares(calculation, rows))
  return shared.map((row) => shownRow(calculation, row))
}
