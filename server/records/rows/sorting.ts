// Sorts and cursors of record lists. Every order is total: ties are broken by id, empty values come last.

import sql, { type Sql } from 'sql-template-tag'
import { SORTABLE } from '../../../contract/attribute-types.ts'
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

/** Longer texts sort by their first characters, as many as an index row has, then by id. */
const SORT_KEY_CHARACTERS = 200

export interface Sort {
  field: string
  order: Order
  /** The sort key, as text in results; undefined: only the id. */
  key: { value: Sql; type: 'text' | 'numeric' | 'bigint'; nullable: boolean } | undefined
}

/** Microseconds since 1970. ETags are made of them. */
export const microsOf = (moment: Sql) => sql`(extract(epoch from ${moment}) * 1000000)::bigint`
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
  /** Where the field was given, for the error. */
  path: string
  /** The caller, whose rights decide whether the error names attributes; without one it names none. */
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

export function orderBy({ order, key, field }: Sort): Sql {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  if (!key) return sql`order by r.id ${direction}`
  if (field === 'updated_at') return sql`order by r.updated_at ${direction}, r.id ${direction}`
  return sql`order by ${key.value} ${direction} nulls last, r.id ${direction}`
}

/** Rows after `position` in the order of `sort`. */
export function afterPosition({ order, key, field }: Sort, position: CursorPosition): Sql {
  const beyond = order === 'asc' ? sql`>` : sql`<`
  if (!key) return sql`r.id ${beyond} ${position.id}::uuid`
  if (field === 'updated_at') {
    const moment = sql`(timestamptz 'epoch' + ${position.key}::bigint * interval '1 microsecond')`
    return sql`(r.updated_at, r.id) ${beyond} (${moment}, ${position.id}::uuid)`
  }
  const { value } = key
  if (position.key === null) return sql`(${value} is null and r.id ${beyond} ${position.id}::uuid)`
  const last = key.type === 'numeric' ? sql`${position.key}::numeric` : sql`${position.key}::text`
  return sql`(${value} ${beyond} ${last} or (${value} = ${last} and r.id ${beyond} ${position.id}::uuid) or ${value} is null)`
}

/** A cursor is only valid with the same sort and filters. */
export const cursorSeal = (model: ObjectModel, sort: Sort, filters: readonly Sql[]): string =>
  sealOf([model.obj, sort.field, sort.order, filters.map((filter) => [filter.strings, filter.values])])

// Numbers as PostgreSQL writes them: it rejects some exponents of ordinary numbers, as in 0e2000000000.
const PLAIN_DECIMAL = /^-?\d+(?:\.\d+)?$/

export const isKeyOf =
  (sort: Sort) =>
  (key: unknown): key is string | null => {
    if (!sort.key) return key === null
    if (key === null) return sort.key.nullable
    if (typeof key !== 'string' || key.includes('\0')) return false
    if (sort.key.type === 'bigint') return /^\d{1,16}$/.test(key)
    return sort.key.type === 'text' || (PLAIN_DECIMAL.test(key) && canonicalDecimal(key) !== undefined)
  }
