// Calculates an object's index rows and counters from its records in plain JavaScript, and compares them with the
// stored ones in the same snapshot.
import sql from 'sql-template-tag'
import { NUMBER_TYPES } from '../../../../contract/attribute-types.ts'
import type { Db } from '../../../db/pool.ts'
import type { IndexedAttribute, IndexState } from '../../../model/attributes/object-index.ts'
import type { ObjectKey } from './work-store.ts'

interface RecordRow {
  id: string
  data: Record<string, unknown>
  comparable: Record<string, unknown> | null
  /** The last change, in seconds since 1970. */
  changedAt: number
}

/** `short`: the rows of index_text that are searched. */
const TABLES = ['text', 'number', 'missing', 'short', 'search'] as const
type Table = (typeof TABLES)[number]

type IndexRow = [attr: number, id: string, value: string, isSearched?: boolean]

interface Snapshot {
  state: IndexState
  last: string | null
  attributes: IndexedAttribute[]
  records: RecordRow[]
  /** By table. */
  rows: Record<Exclude<Table, 'short'>, IndexRow[]>
  texts: { attr: number; value: string; n: number }[]
  numbers: { attr: number; low: string; n: number }[]
  steps: { low: string; n: number }[]
  changes: { attr: number; val: string; n: number }[]
}

const takeSnapshot = (db: Db, { org, obj }: ObjectKey): Promise<Snapshot> =>
  db.one<Snapshot>(sql`
    with attrs as materialized (select * from attributes where org = ${org} and obj = ${obj})
    select o.index_state as state, o.index_last as last,
      (select coalesce(json_agg(json_build_object('attr', a.attr, 'slug', a.slug, 'type', a.type, 'isList', a.is_list,
        'state', a.index_state, 'search', a.search_state, 'counting', a.counting, 'isCounted', a.is_counted,
        'keepsMissing', a.keeps_missing)), '[]') from attrs a where a.deleted_at is null) as attributes,
      (select coalesce(json_agg(json_build_object('id', id, 'data', data, 'comparable', comparable,
        'changedAt', extract(epoch from updated_at))), '[]')
       from records where org = ${org} and obj = ${obj}) as records,
      json_build_object(
        'text', (select coalesce(json_agg(json_build_array(attr, id, value, searched)), '[]')
                 from index_text where org = ${org} and attr in (select attr from attrs)),
        'number', (select coalesce(json_agg(json_build_array(attr, id, value)), '[]')
                   from index_number where org = ${org} and attr in (select attr from attrs)),
        'missing', (select coalesce(json_agg(json_build_array(attr, id)), '[]')
                    from index_missing where org = ${org} and attr in (select attr from attrs)),
        'search', (select coalesce(json_agg(json_build_array(attr, id, value)), '[]')
                   from index_search where org = ${org} and attr in (select attr from attrs))) as rows,
      (select coalesce(json_agg(t), '[]') from stat_text t where org = ${org} and obj = ${obj}) as texts,
      (select coalesce(json_agg(json_build_object('attr', attr, 'low', low::text, 'n', n)), '[]')
       from stat_number where org = ${org} and obj = ${obj}) as numbers,
      (select coalesce(json_agg(t), '[]') from stat_ids t where org = ${org} and obj = ${obj}) as steps,
      (select coalesce(json_agg(json_build_object('attr', c.attr, 'val', c.val, 'n', c.n)), '[]')
       from stat_changes h, unnest(h.attrs, h.vals, h.ns) as c(attr, val, n) where h.org = ${org} and h.obj = ${obj}) as changes
    from objects o where o.org = ${org} and o.obj = ${obj}`)

const joined = (parts: unknown[], between: string) => parts.filter((part) => part != null).join(between)

function textOf(type: string, value: unknown): string {
  const parts = value as Record<string, unknown>
  if (type === 'name') return joined([parts['firstName'], parts['lastName']], ' ')
  if (type === 'address')
    return joined(
      ['line1', 'line2', 'city', 'state', 'postalCode', 'country'].map((part) => parts[part]),
      ', ',
    )
  return String(value)
}

const numberOf = (type: string, value: unknown) =>
  Number(type === 'currency' ? (value as { amount: number }).amount : value)

const isNumber = ({ type }: IndexedAttribute) => NUMBER_TYPES.has(type)
const isMultiValue = ({ type, isList }: IndexedAttribute) => isList || type === 'list'

function valuesOf({ type, slug, ...one }: IndexedAttribute, { data, comparable }: RecordRow): unknown[] {
  const form = comparable?.[slug]
  const value = type === 'phone_number' ? form : type === 'domain' ? (form ?? data[slug]) : data[slug]
  if (value === undefined || value === null) return []
  return isMultiValue({ type, slug, ...one }) ? (value as unknown[]) : [value]
}

const keyOf = (text: string) => [...text.toLowerCase()].slice(0, 200).join('')
const isLong = (text: string) => [...text.toLowerCase()].length >= 200
const line = (...parts: (string | number)[]) => JSON.stringify(parts)

type Rows = Map<string, string>

/** The rows that a complete attribute must have, with the record of each row. */
function expectedRows(attribute: IndexedAttribute, records: readonly RecordRow[]): Record<Table, Rows> {
  const tables = Object.fromEntries(TABLES.map((table) => [table, new Map()])) as Record<Table, Rows>
  for (const record of records) {
    const values = valuesOf(attribute, record)
    const texts = values.map((value) => textOf(attribute.type, value))
    if (values.length === 0 && attribute.keepsMissing) tables.missing.set(line(record.id), record.id)
    const long = texts.filter(isLong).map((text) => text.toLowerCase())
    if (long.length > 0) tables.search.set(line(record.id, long.join('\u0001')), record.id)
    for (const text of texts) if (!isLong(text)) tables.short.set(line(record.id, keyOf(text)), record.id)
    if (attribute.type === 'reference') continue
    if (isNumber(attribute))
      for (const value of values)
        tables.number.set(line(record.id, numberOf(attribute.type, value)), record.id)
    else for (const text of texts) tables.text.set(line(record.id, keyOf(text)), record.id)
  }
  return tables
}

const rowsOf = ({ rows }: Snapshot, table: Table): IndexRow[] =>
  table === 'short' ? rows.text.filter(([, , , isSearched]) => isSearched) : rows[table]

function rowLine(table: string, [, id, value]: IndexRow): string {
  if (table === 'missing') return line(id)
  return line(id, table === 'number' ? Number(value) : value)
}

/** Rows that should not exist, at any time, and rows that are missing once they are filled in. */
function rowFaults(snapshot: Snapshot, attribute: IndexedAttribute): string[] {
  const expected = expectedRows(attribute, snapshot.records)
  return TABLES.flatMap((table) => {
    const state = table === 'search' || table === 'short' ? attribute.search : attribute.state
    const wanted = state === 'none' ? new Map() : expected[table]
    const actual = new Set(
      rowsOf(snapshot, table)
        .filter(([attr]) => attr === attribute.attr)
        .map((row) => rowLine(table, row)),
    )
    const isSeen = (id: string) => state === 'ready' || (snapshot.last !== null && id <= snapshot.last)
    const stale = [...actual].filter((row) => !wanted.has(row))
    const lost = [...wanted].filter(([row, id]) => isSeen(id) && !actual.has(row)).map(([row]) => row)
    return [
      ...(snapshot.state === 'none'
        ? []
        : stale.map((row) => `${table} of ${attribute.slug} is stale: ${row}`)),
      ...lost.map((row) => `${table} of ${attribute.slug} is lost: ${row}`),
    ]
  })
}

function add(counts: Map<string, number>, key: string, n: number): void {
  const sum = (counts.get(key) ?? 0) + n
  if (sum === 0) counts.delete(key)
  else counts.set(key, sum)
}

function differences(what: string, actual: Map<string, number>, expected: Map<string, number>): string[] {
  const keys = new Set([...actual.keys(), ...expected.keys()])
  return [...keys]
    .filter((key) => (actual.get(key) ?? 0) !== (expected.get(key) ?? 0))
    .map((key) => `${what} ${key}: ${actual.get(key) ?? 0}, not ${expected.get(key) ?? 0}`)
}

/** Compares counters plus changes with the records: for records with a value, and for each value. */
function textFaults({ texts, changes, records }: Snapshot, attribute: IndexedAttribute): string[] {
  const [actual, expected] = [new Map<string, number>(), new Map<string, number>()]
  const isCounted = (value: string) => value === '' || attribute.counting === 'values'
  for (const { attr, value, n } of texts) if (attr === attribute.attr) add(actual, value, n)
  for (const { attr, val, n } of changes) if (attr === attribute.attr && isCounted(val)) add(actual, val, n)
  for (const record of records) {
    const values = valuesOf(attribute, record)
    if (values.length > 0) add(expected, '', 1)
    if (attribute.counting === 'values')
      for (const text of new Set(values.map((value) => textOf(attribute.type, value)))) add(expected, text, 1)
  }
  return differences(`values of ${attribute.slug}`, actual, expected)
}

/** Compares the counts of ranges, by counters and changes, with the present keys. */
function rangeFaults<Key>(
  what: string,
  ranges: readonly { low: Key; n: number }[],
  { changes, present }: { changes: readonly { key: Key; n: number }[]; present: readonly Key[] },
): string[] {
  const sorted = ranges.toSorted((a, b) => (a.low < b.low ? -1 : 1))
  const placeOf = (key: Key) => String(sorted.findLast(({ low }) => low <= key)?.low ?? 'below')
  const [actual, expected] = [new Map<string, number>(), new Map<string, number>()]
  for (const { low, n } of sorted) add(actual, String(low), n)
  for (const { key, n } of changes) add(actual, placeOf(key), n)
  for (const key of present) add(expected, placeOf(key), 1)
  return differences(what, actual, expected)
}

function numberFaults({ numbers, changes, records }: Snapshot, attribute: IndexedAttribute): string[] {
  const isOf = ({ attr }: { attr: number }) => attr === attribute.attr
  return rangeFaults(
    `range of ${attribute.slug}`,
    numbers.filter(isOf).map(({ low, n }) => ({ low: Number(low), n })),
    {
      changes: changes
        .filter((one) => isOf(one) && one.val !== '')
        .map(({ val, n }) => ({ key: Number(val), n })),
      present: records.flatMap((record) =>
        valuesOf(attribute, record).map((value) => numberOf(attribute.type, value)),
      ),
    },
  )
}

/** Ranges of change times, in seconds: attribute -1. */
const secondsOf = (numbers: Snapshot['numbers']) =>
  numbers.filter(({ attr }) => attr === -1).map(({ low, n }) => ({ low: Number(low), n }))

function recordFaults({ state, texts, numbers, steps, changes, records }: Snapshot): string[] {
  if (state !== 'ready') return []
  const ids = changes.filter(({ attr }) => attr === 0).map(({ val, n }) => ({ key: val, n }))
  const seconds = changes.filter(({ attr }) => attr === -1).map(({ val, n }) => ({ key: Number(val), n }))
  const total = [
    ...texts.filter(({ attr }) => attr === 0).map(({ n }) => n),
    ...ids.map(({ n }) => n),
  ].reduce((sum, n) => sum + n, 0)
  return [
    ...(total === records.length ? [] : [`records: ${total}, not ${records.length}`]),
    ...rangeFaults('step', steps, { changes: ids, present: records.map(({ id }) => id) }),
    ...rangeFaults('seconds', secondsOf(numbers), {
      changes: seconds,
      present: records.map(({ changedAt }) => changedAt),
    }),
  ]
}

/** All faults in the index of an object, in one snapshot. There must be none at any time. */
export async function audit(db: Db, object: ObjectKey): Promise<string[]> {
  const snapshot = await takeSnapshot(db, object)
  return [
    ...snapshot.attributes.flatMap((one) => rowFaults(snapshot, one)),
    ...snapshot.attributes.filter(({ isCounted }) => isCounted).flatMap((one) => textFaults(snapshot, one)),
    ...snapshot.attributes
      .filter(({ isCounted, counting }) => isCounted && counting === 'ranges')
      .flatMap((one) => numberFaults(snapshot, one)),
    ...recordFaults(snapshot),
  ]
}

/** The number of rows of an object, by kind. */
export async function countRows(db: Db, object: ObjectKey): Promise<Record<string, number>> {
  const { rows, texts, steps, changes, ...snapshot } = await takeSnapshot(db, object)
  const { text, number, missing, search } = rows
  const numbers = snapshot.numbers.filter(({ attr }) => attr > 0)
  const seconds = secondsOf(snapshot.numbers)
  return Object.fromEntries(
    Object.entries({ text, number, missing, search, texts, numbers, seconds, steps, changes }).map(
      ([name, all]) => [name, all.length],
    ),
  )
}
