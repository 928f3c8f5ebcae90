// Where the values of an attribute are in a statement, and as what they are compared.
import sql, { type Sql } from 'sql-template-tag'
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { ModelAttribute } from '../../attributes/models.ts'

/** Lower case by Unicode's rules, not by the locale of the database. */
export const lower = (text: Sql) => sql`lower(${text} collate "pg_unicode_fast")`

/** Types compared as numbers. */
export const NUMERIC = new Set<AttributeType>(['number', 'currency'])

/** The comparable text of one value; `value` is a jsonb expression. */
export function textOf(type: AttributeType, value: Sql): Sql {
  if (type === 'name') return sql`nullif(concat_ws(' ', ${value}->>'firstName', ${value}->>'lastName'), '')`
  if (type === 'address')
    return sql`nullif(concat_ws(', ', ${value}->>'line1', ${value}->>'line2', ${value}->>'city', ${value}->>'state', ${value}->>'postalCode', ${value}->>'country'), '')`
  return sql`(${value} #>> '{}')`
}

/** The number in one value. The case guards the cast: rows of other objects may hold text under the slug. */
export const numberOf = (type: AttributeType, value: Sql): Sql => {
  const number = type === 'currency' ? sql`${value}->'amount'` : value
  return sql`(case when jsonb_typeof(${number}) = 'number' then (${number} #>> '{}')::numeric end)`
}

/** Where the values of an attribute are: phone numbers are compared as E.164. */
export const storedValue = ({ type, slug }: Pick<ModelAttribute, 'type' | 'slug'>, row = sql`r`): Sql =>
  type === 'phone_number' ? sql`(${row}.comparable->${slug}::text)` : sql`(${row}.data->${slug}::text)`

/** What `storedValue` holds, as text where it is text in jsonb: names and addresses are not. */
export const textValue = ({ type, slug }: Pick<ModelAttribute, 'type' | 'slug'>, row: Sql): Sql =>
  type === 'phone_number' ? sql`(${row}.comparable->>${slug}::text)` : sql`(${row}.data->>${slug}::text)`

/** The elements of a list value, none when there is no value. */
export const elements = (stored: Sql) =>
  sql`jsonb_array_elements(case when jsonb_typeof(${stored}) = 'array' then ${stored} else '[]' end) as element`
