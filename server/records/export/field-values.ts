// Values of the fields of an export, with those of referenced records.
import { isObject, type JsonValue, parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { referredIds } from '../expansion/referred-ids.ts'
import { selectTargets } from '../expansion/store.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import { columnsOf, type ExportColumn } from './cells.ts'
import type { ExportField } from './fields.ts'

export type Values = Record<string, JsonValue>

/** The data of referenced records by id. */
export type Targets = ReadonlyMap<string, Values>

/** Maximum number of records of one statement. */
const TARGETS_MAX = 5000

/** Slugs of the attributes to read, by the internal number of the referenced object. */
function slugsByObject(fields: readonly ExportField[]): Map<number, Set<string>> {
  const slugs = new Map<number, Set<string>>()
  for (const { via, attribute } of fields) {
    const obj = via?.targetObj ?? null
    if (obj !== null) slugs.set(obj, (slugs.get(obj) ?? new Set()).add(attribute.slug))
  }
  return slugs
}

function referredTargets(fields: readonly ExportField[], records: readonly StoredRecord[]) {
  const references = new Map(fields.flatMap(({ via }) => (via ? [[via.slug, via.targetObj] as const] : [])))
  const targets = new Map<string, { obj: number; id: string }>()
  for (const [slug, obj] of references)
    for (const { data } of obj === null ? [] : records)
      for (const id of referredIds(data, slug)) if (obj !== null) targets.set(id, { obj, id })
  return [...targets.values()]
}

/** Reads the records that the fields lead to: by one statement, or by several if they have more than 4 MiB. */
export async function readTargets(
  db: Db,
  org: number,
  fields: readonly ExportField[],
  records: readonly StoredRecord[],
): Promise<Targets> {
  const slugs = slugsByObject(fields)
  const targets = new Map<string, Values>()
  for (let left = referredTargets(fields, records); left.length > 0; ) {
    const wanted = left.slice(0, TARGETS_MAX)
    const { records: found, isComplete } = await selectTargets(db, org, wanted, slugs)
    for (const { id, data } of found) targets.set(id, parseJson(data) as Values)
    const last = found.at(-1)?.id
    left = left.slice(isComplete ? wanted.length : wanted.findIndex(({ id }) => id === last) + 1)
  }
  return targets
}

/** What the next name of a path is looked up in: a value with parts, or the referenced record. */
const wholeOf = (value: JsonValue, targets: Targets): unknown =>
  typeof value === 'string' ? targets.get(value) : value

/** The values at the end of the path; several if lists are on the way. */
function valuesAt(value: JsonValue | undefined, path: readonly string[], targets: Targets): JsonValue[] {
  const [name, ...rest] = path
  if (value === undefined) return []
  if (name === undefined) return [value]
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, path, targets))
  const whole = wholeOf(value, targets)
  return isObject(whole) && Object.hasOwn(whole, name)
    ? valuesAt(whole[name] as JsonValue, rest, targets)
    : []
}

const hasLists = ({ via, attribute, part }: ExportField): boolean =>
  via?.isList === true || (attribute.isList && part !== undefined)

function valueAtEnd(field: ExportField, data: Values, targets: Targets): JsonValue | undefined {
  const values = valuesAt(data, field.path.split('.'), targets)
  if (!hasLists(field)) return values[0]
  return values.length === 0 ? undefined : values.flat()
}

/** The end of the path as an attribute with the path as its slug. */
function attributeOf({ path, via, attribute, part }: ExportField): ExportField['attribute'] {
  const own = { ...attribute, slug: path, isList: attribute.isList || via?.isList === true }
  if (part === undefined) return own
  return { ...own, type: attribute.type === 'currency' && part === 'amount' ? 'number' : 'text' }
}

/** The columns of a field, with the headers that an import reads. */
export function fieldColumns(field: ExportField, targets: Targets): ExportColumn[] {
  const { path, attribute } = field
  if (path === attribute.slug) return columnsOf(attribute)
  return columnsOf(attributeOf(field)).map((column) => ({
    ...column,
    cellOf(data) {
      const value = valueAtEnd(field, data, targets)
      return column.cellOf(value === undefined ? {} : { [path]: value })
    },
  }))
}

/** Names of a value or a referenced record to keep; null: all of it. */
type Shape = ReadonlyMap<string, Shape | null>

function shapeOf(paths: readonly (readonly string[])[]): Shape {
  const byName = Map.groupBy(paths, ([name = '']) => name)
  return new Map(
    [...byName].map(([name, each]) => {
      const isWhole = each.some((path) => path.length === 1)
      return [name, isWhole ? null : shapeOf(each.map((path) => path.slice(1)))]
    }),
  )
}

/** @returns undefined if no value is left */
function shaped(value: JsonValue, shape: Shape | null, targets: Targets): JsonValue | undefined {
  if (shape === null) return value
  if (Array.isArray(value)) {
    const kept = value.map((one) => shaped(one, shape, targets)).filter((one) => one !== undefined)
    return kept.length === 0 ? undefined : kept
  }
  const whole = wholeOf(value, targets)
  const kept = isObject(whole) ? picked(whole as Values, shape, targets) : {}
  return Object.keys(kept).length === 0 ? undefined : kept
}

function picked(whole: Values, shape: Shape, targets: Targets): Values {
  const kept = [...shape].flatMap(([name, inner]) => {
    const value = Object.hasOwn(whole, name) ? shaped(whole[name] ?? null, inner, targets) : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(kept)
}

/**
 * Returns data with only the fields, each in its place: `{"company": {"domain": "acme.com"}}`. This is the form in which
 * writes name records by value.
 */
export function shapeData(fields: readonly ExportField[]): (data: Values, targets: Targets) => Values {
  const shape = shapeOf(fields.map(({ path }) => path.split('.')))
  return (data, targets) => picked(data, shape, targets)
}
