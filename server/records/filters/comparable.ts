// SQL expressions for the values of an attribute, and for their comparison.
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { ATTRIBUTE_TYPES, type AttributeType } from '../../../contract/attribute-types.ts'
import type { ModelAttribute } from '../../model/attributes/models.ts'
import type { RecordType } from '../types/record-type.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { PartAttribute } from './parts.ts'

/** Lower case by Unicode's rules, not by the locale of the database. */
export const lower = (text: Sql) => sql`lower(${text} collate "pg_unicode_fast")`

const typesWith = (has: (type: RecordType) => unknown): ReadonlySet<AttributeType> =>
  new Set(ATTRIBUTE_TYPES.filter((type) => has(RECORD_TYPES[type])))

/** Types compared as numbers. */
export const NUMERIC = typesWith(({ number }) => number)

/** Types for which equal index keys mean equal values. */
export const KEY_IS_VALUE = typesWith(({ isKeyWhole }) => isKeyWhole)

/** The comparable text of one value; `value` is a jsonb expression. */
export const comparableText = (type: AttributeType, value: Sql): Sql =>
  RECORD_TYPES[type].text?.(value) ?? sql`(${value} #>> '{}')`

/** The number in one value. The case guards the cast: rows of other objects may hold text under the slug. */
export function comparableNumber(type: AttributeType, value: Sql): Sql {
  const number = RECORD_TYPES[type].number?.(value) ?? value
  return sql`(case when jsonb_typeof(${number}) = 'number' then (${number} #>> '{}')::numeric end)`
}

/** The expression by type, if the type is a column of the statement. */
function byType(
  column: Sql,
  types: Iterable<AttributeType>,
  { of, otherwise }: { of: (type: AttributeType) => Sql; otherwise: Sql },
): Sql {
  const cases = [...types].map((type) => sql`when ${raw(`'${type}'`)} then ${of(type)}`)
  return sql`(case ${column} ${join(cases, ' ')} else ${otherwise} end)`
}

const WITH_TEXT = typesWith(({ text }) => text)
const WITH_COMPARABLE = typesWith(({ hasComparable }) => hasComparable)

/** Types whose texts are compared without case. */
export const IGNORES_CASE = typesWith(({ ignoresCase }) => ignoresCase)

/**
 * The compared values of a type that stores them in addition to its data. Both arguments are jsonb, or both are text.
 */
const comparableOrData = (type: AttributeType, comparable: Sql, data: Sql): Sql =>
  RECORD_TYPES[type].mayLackComparable ? sql`coalesce(${comparable}, ${data})` : comparable

/** `comparableText` of a value whose type is in a column. */
export const anyText = (type: Sql, value: Sql): Sql =>
  byType(type, WITH_TEXT, { of: (one) => comparableText(one, value), otherwise: sql`${value} #>> '{}'` })

/** `comparableNumber` of a value whose type is in a column. */
export const anyNumber = (type: Sql, value: Sql): Sql =>
  byType(type, NUMERIC, { of: (one) => comparableNumber(one, value), otherwise: sql`null` })

/** `storedValue` of an attribute whose type and slug are in columns. */
export const anyStored = (
  { type, slug }: { type: Sql; slug: Sql },
  { data, comparable }: { data: Sql; comparable: Sql },
): Sql =>
  byType(type, WITH_COMPARABLE, {
    of: (one) => comparableOrData(one, sql`${comparable}->${slug}`, sql`${data}->${slug}`),
    otherwise: sql`${data}->${slug}`,
  })

/** An attribute whose values are read. */
type ReadAttribute = Pick<ModelAttribute, 'type' | 'slug' | 'renaming'> & Partial<Pick<PartAttribute, 'part'>>

/** A part of each value of a list, as a list. Values without the part are left out. */
function storedPart({ of, name }: PartAttribute['part'], row: Sql): Sql {
  const whole = sql`(${row}.data->${of.slug}::text)`
  return of.isList
    ? sql`jsonb_path_query_array(${whole}, ${`$[*].${name}`}::jsonpath)`
    : sql`(${whole}->${name}::text)`
}

/** The expression of the values to compare. */
export function storedValue({ type, slug, renaming, part }: ReadAttribute, row = sql`r`): Sql {
  if (part) return storedPart(part, row)
  const value = sql`(${row}.data->${slug}::text)`
  if (RECORD_TYPES[type].hasComparable)
    return comparableOrData(type, sql`(${row}.comparable->${slug}::text)`, value)
  return renaming ? sql`renamed_options(${value}, ${JSON.stringify(renaming)}::jsonb)` : value
}

/** `storedValue` as text, for types whose jsonb is a string: not for names and addresses. */
export function textValue(attribute: ReadAttribute, row: Sql): Sql {
  const { type, slug, renaming } = attribute
  if (renaming) return sql`(${storedValue(attribute, row)} #>> '{}')`
  const text = sql`(${row}.data->>${slug}::text)`
  return RECORD_TYPES[type].hasComparable
    ? comparableOrData(type, sql`(${row}.comparable->>${slug}::text)`, text)
    : text
}

/** The elements of a list value, none when there is no value. */
export const elements = (stored: Sql) =>
  sql`jsonb_array_elements(case when jsonb_typeof(${stored}) = 'array' then ${stored} else '[]' end) as element`

/** Whether an attribute has a value. Null and an empty list are no values. */
export const isPresent = (value: Sql): Sql => sql`(${value} is not null and ${value} <> '[]')`
