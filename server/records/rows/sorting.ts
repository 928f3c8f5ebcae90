// Sorts and cursors of record lists. Every order is total: ties are broken by id, empty values come last.

import sql, { join, type Sql } from 'sql-template-tag'
import { SORTABLE } from '../../../contract/attribute-types.ts'
import { SORTS_MAX } from '../../../contract/limits.ts'
import type { SearchSort } from '../../../contract/sorts.ts'
import { invalid } from '../../base/errors.ts'
import { insteadTold, sentName } from '../../base/suggestions.ts'
import { type Asking, toldNames } from '../../base/told-names.ts'
import { type CursorPosition, sealOf } from '../../http/cursor.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { comparableNumber, comparableText, lower, NUMERIC, storedValue } from '../filters/comparable.ts'
import { attributeAt, isPartFault, type PartAttribute } from '../filters/parts.ts'
import { canonicalDecimal } from '../values/number.ts'

export type { CursorPosition }

export type Order = 'asc' | 'desc'

/** Longer texts are sorted by their first characters, as many as an index row has, and then by id. */
const SORT_KEY_CHARACTERS = 200

/** One of the keys that records are compared by, one after the other. */
type SortKey = NonNullable<Sort['key']> & Pick<Sort, 'field' | 'order'>

export interface Sort {
  field: string
  /** Also the order of ids, for records that are equal otherwise. */
  order: Order
  /** Set for several sorts: `key` is then the JSON array of their texts, and `field` names all of them. */
  keys?: readonly SortKey[]
  /** The sort key, as text in results; undefined: sorted only by id. */
  key: { value: Sql; type: 'text' | 'numeric' | 'bigint'; nullable: boolean } | undefined
}

/** Microseconds since 1970. ETags are made of them. */
export const microsOf = (timestamp: Sql) => sql`(extract(epoch from ${timestamp}) * 1000000)::bigint`
export const updatedMicros = microsOf(sql`r.updated_at`)

type SortedAttribute = ModelAttribute | PartAttribute

function attributeKey(attribute: SortedAttribute): NonNullable<Sort['key']> {
  const stored = storedValue(attribute)
  if (NUMERIC.has(attribute.type))
    return { value: comparableNumber(attribute.type, stored), type: 'numeric', nullable: true }
  const text = sql`left(${lower(comparableText(attribute.type, stored))}, ${SORT_KEY_CHARACTERS}::int) collate "C"`
  return { value: text, type: 'text', nullable: true }
}

const isSortable = ({ type, isList }: Pick<ModelAttribute, 'type' | 'isList'>) =>
  SORTABLE.has(type) && !isList

const sortableSlugs = ({ attributes }: ObjectModel): string[] => [
  'created_at',
  'updated_at',
  ...[...attributes.values()].filter(isSortable).map(({ slug }) => slug),
]

function unknownField(model: ObjectModel, { field, asking }: Pick<AskedSort, 'field' | 'asking'>): string {
  const told = toldNames(asking, 'attributes', sortableSlugs(model))
  const otherwise = `send created_at, updated_at or the slug of an attribute of ${model.slug}`
  return `must be an attribute that can be sorted by, not ${sentName(field)}: ${insteadTold(field, told, otherwise)}`
}

export interface AskedSort {
  field: string
  order: Order
  /** The path of the field in the request, for the error. */
  path: string
  /** The caller, whose rights decide whether the error names attributes. Without a caller it names none. */
  asking?: Asking | undefined
}

/** @throws 400 invalid_parameter */
export function sortOf(model: ObjectModel, { field, order, path, asking }: AskedSort): Sort {
  if (field === 'created_at') return { field, order, key: undefined }
  if (field === 'updated_at')
    return { field, order, key: { value: updatedMicros, type: 'bigint', nullable: false } }
  const attribute = attributeAt((slug) => model.attributes.get(slug), field)
  const refused = (message: string) => invalid('invalid_parameter', [{ path, code: 'invalid_sort', message }])
  if (isPartFault(attribute))
    throw refused(`must be an attribute that can be sorted by: ${attribute.message}`)
  if (attribute && isSortable(attribute))
    return { field: attribute.slug, order, key: attributeKey(attribute) }
  const message = attribute
    ? `must be an attribute that can be sorted by: ${field} is ${attribute.isList ? 'a list' : `of type ${attribute.type}`}`
    : unknownField(model, { field, asking })
  throw refused(message)
}

const asList = (sort: SearchSort) =>
  Array.isArray(sort)
    ? sort.map((one, index) => ({ ...one, path: `sort[${index}].field` }))
    : [{ ...sort, path: 'sort.field' }]

/** @throws 400 invalid_parameter */
function severalOf(asked: readonly AskedSort[], sorts: readonly Sort[]): Sort {
  const again = sorts.findIndex(({ field }, index) => sorts.findIndex((one) => one.field === field) < index)
  if (again >= 0)
    throw invalid('invalid_parameter', [
      {
        path: asked[again]?.path ?? 'sort',
        code: 'invalid_sort',
        message: `must not be ${sentName(sorts[again]?.field)} again: send it once`,
      },
    ])
  // Creation times have no ties: their order is the order of ids.
  const last = sorts.findIndex(({ key }) => key === undefined)
  const kept = last < 0 ? sorts : sorts.slice(0, last)
  const keys = kept.flatMap(({ key, field, order }) => (key ? [{ ...key, field, order }] : []))
  const order = (last < 0 ? sorts[0] : sorts[last])?.order ?? 'desc'
  const texts = keys.map(({ value }) => sql`${value}::text`)
  const field = sorts.map((one) => `${one.order === 'desc' ? '-' : ''}${one.field}`).join(',')
  const value = sql`jsonb_build_array(${join(texts)})::text`
  return { field, order, keys, key: { value, type: 'text', nullable: false } }
}

/** @throws 400 invalid_parameter */
export function sortOfAll(model: ObjectModel, asked: readonly AskedSort[]): Sort {
  const sorts = asked.map((one) => sortOf(model, one))
  const [first, second] = sorts
  // There is only one sort, or the first sort has no ties.
  if (first && (!second || !first.key)) return first
  return severalOf(asked, sorts)
}

/** @throws 400 invalid_parameter */
export function searchSort(model: ObjectModel, sort: SearchSort | undefined, asking: Asking): Sort {
  const asked = asList(sort ?? { field: 'created_at' })
  return sortOfAll(
    model,
    asked.map((one) => ({ ...one, order: one.order ?? 'desc', asking })),
  )
}

/**
 * The `sort` of a query string, such as `-amount,name`.
 * @param order of names without `-`; undefined: newest first by one time, ascending otherwise
 * @throws 400 invalid_parameter
 */
export function querySort(
  model: ObjectModel,
  { sort, order }: { sort: string; order: Order | undefined },
  asking: Asking,
): Sort {
  const names = sort.split(',')
  if (names.length > SORTS_MAX)
    throw invalid('invalid_parameter', [
      {
        path: 'sort',
        code: 'invalid_sort',
        message: `must have at most ${SORTS_MAX} names, not ${names.length}`,
      },
    ])
  const usual = order ?? (TIMES.has(sort) ? 'desc' : 'asc')
  return sortOfAll(
    model,
    names.map((name) => ({
      field: name.replace(/^-/, ''),
      order: name.startsWith('-') ? 'desc' : usual,
      path: 'sort',
      asking,
    })),
  )
}

const TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at'])

const directionOf = (order: Order) => (order === 'asc' ? sql`asc` : sql`desc`)
const beyondIn = (order: Order) => (order === 'asc' ? sql`>` : sql`<`)

export function orderBy({ order, key, field, keys }: Sort): Sql {
  if (keys) {
    const each = keys.map((one) => sql`${one.value} ${directionOf(one.order)} nulls last`)
    return sql`order by ${join(each)}, r.id ${directionOf(order)}`
  }
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  if (!key) return sql`order by r.id ${direction}`
  if (field === 'updated_at') return sql`order by r.updated_at ${direction}, r.id ${direction}`
  return sql`order by ${key.value} ${direction} nulls last, r.id ${direction}`
}

/** The parts of a key of several sorts, as a cursor has it. */
export function partsOfKey(key: string | null): (string | null)[] {
  try {
    const parts: unknown = JSON.parse(key ?? '')
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

/** Rows after the position: by one key, with equal keys before it, or by the id with all keys equal. */
function afterKeys(keys: readonly SortKey[], order: Order, { key, id }: CursorPosition): Sql {
  const parts = partsOfKey(key)
  const equal: Sql[] = []
  const cases: Sql[] = []
  for (const [index, one] of keys.entries()) {
    const part = parts[index] ?? null
    const last = one.type === 'text' ? sql`${part}::text` : sql`${part}::numeric`
    const beyond = sql`(${one.value} ${beyondIn(one.order)} ${last} or ${one.value} is null)`
    // Records without a value come last, so no records follow them by this key.
    if (part !== null) cases.push(join([...equal, beyond], ' and '))
    equal.push(part === null ? sql`${one.value} is null` : sql`${one.value} = ${last}`)
  }
  cases.push(join([...equal, sql`r.id ${beyondIn(order)} ${id}::uuid`], ' and '))
  return sql`(${join(
    cases.map((one) => sql`(${one})`),
    ' or ',
  )})`
}

/** Rows after `position` in the order of `sort`. */
export function afterPosition({ order, key, field, keys }: Sort, position: CursorPosition): Sql {
  if (keys) return afterKeys(keys, order, position)
  const beyond = order === 'asc' ? sql`>` : sql`<`
  if (!key) return sql`r.id ${beyond} ${position.id}::uuid`
  if (field === 'updated_at') {
    const timestamp = sql`(timestamptz 'epoch' + ${position.key}::bigint * interval '1 microsecond')`
    return sql`(r.updated_at, r.id) ${beyond} (${timestamp}, ${position.id}::uuid)`
  }
  const { value } = key
  if (position.key === null) return sql`(${value} is null and r.id ${beyond} ${position.id}::uuid)`
  const last = key.type === 'numeric' ? sql`${position.key}::numeric` : sql`${position.key}::text`
  return sql`(${value} ${beyond} ${last} or (${value} = ${last} and r.id ${beyond} ${position.id}::uuid) or ${value} is null)`
}

/** A cursor is only valid with the same sort and filters. */
export const cursorSeal = (model: ObjectModel, sort: Sort, filters: readonly Sql[]): string =>
  sealOf([model.obj, sort.field, sort.order, filters.map((filter) => [filter.strings, filter.values])])

// Numbers as PostgreSQL writes them: it rejects some exponents of ordinary numbers, such as 0e2000000000.
const PLAIN_DECIMAL = /^-?\d+(?:\.\d+)?$/

function isPartOf({ type, nullable }: NonNullable<Sort['key']>, key: unknown): boolean {
  if (key === null) return nullable
  if (typeof key !== 'string' || key.includes('\0')) return false
  if (type === 'bigint') return /^\d{1,16}$/.test(key)
  return type === 'text' || (PLAIN_DECIMAL.test(key) && canonicalDecimal(key) !== undefined)
}

export const isKeyOf =
  ({ key: form, keys }: Sort) =>
  (key: unknown): key is string | null => {
    if (!form) return key === null
    if (!keys) return isPartOf(form, key)
    const parts = typeof key === 'string' ? partsOfKey(key) : []
    return parts.length === keys.length && keys.every((one, index) => isPartOf(one, parts[index]))
  }
