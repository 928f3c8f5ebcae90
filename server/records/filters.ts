// Filters → SQL (decisions, section 3). Pure: slugs and operands become parameters, never text.
import sql, { join, type Sql } from 'sql-template-tag'
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { Problem } from '../../contract/errors.ts'
import { type FilterOperator, OPERATORS } from '../../contract/operators.ts'
import type { ModelAttribute } from '../attributes/models.ts'
import { comparableOperand, searchOperand } from './operands.ts'
import { isPhoneOperator, type PhoneSearch, phoneSearch } from './values/phone-search.ts'
import type { Locale } from './values.ts'

const UNARY = new Set<FilterOperator>(['isEmpty', 'isNotEmpty', 'isTrue', 'isFalse'])
/** What an operator is the contrary of; records without a value meet those too. */
export const NEGATED: Partial<Record<FilterOperator, FilterOperator>> = {
  notEquals: 'equals',
  notContains: 'contains',
  notIn: 'in',
}
export const COMPARISONS: Partial<Record<FilterOperator, Sql>> = {
  greaterThan: sql`>`,
  lessThan: sql`<`,
  greaterThanOrEqual: sql`>=`,
  lessThanOrEqual: sql`<=`,
}

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

/** What a condition asks of one attribute, with operands in the form in which values are compared. */
export interface FilterLeaf {
  attribute: FilteredAttribute
  operator: FilterOperator
  operands: readonly string[]
}

/** One of the conditions that records must meet, and what it asks where it is about one attribute. */
export interface RecordFilter {
  condition: Sql
  leaf: FilterLeaf | undefined
  /** The conditions that it comes to when all of several must hold. */
  parts?: readonly RecordFilter[]
  /** The conditions of which one must hold. */
  any?: readonly RecordFilter[]
  /** The folded word that values of one attribute must have. */
  word?: { attribute: FilteredAttribute; word: string }
}

export const conditionsOf = (filters: readonly RecordFilter[]): Sql[] =>
  filters.map(({ condition }) => condition)

/** A filter that cannot be; told apart from a condition by `problem`. */
export type Compiled = RecordFilter | { problem: Omit<Problem, 'path'> }

const refuse = (code: string, message: string) => ({ problem: { code, message } })

interface Operands {
  attribute: FilteredAttribute
  stored: Sql
  operator: FilterOperator
  operands: readonly string[]
}

/** Does one value (a jsonb expression) match? */
function matches({ attribute: { type }, operator, operands }: Omit<Operands, 'stored'>, value: Sql): Sql {
  if (NUMERIC.has(type))
    return compare(
      operator,
      numberOf(type, value),
      operands.map((one) => sql`${one}::numeric`),
    )
  return matchesText(type, textOf(type, value), { operator, operands })
}

/** Does the comparable text of a value match? */
export function matchesText(
  type: AttributeType,
  text: Sql,
  { operator, operands }: Pick<FilterLeaf, 'operator' | 'operands'>,
): Sql {
  if (type === 'phone_number' && isPhoneOperator(operator))
    return matchesPart(text, phoneSearch(operator, operands[0] ?? ''))
  if (type === 'email')
    return compare(
      operator,
      lower(text),
      operands.map((one) => lower(sql`${one}::text`)),
    )
  return compare(
    operator,
    text,
    operands.map((one) => sql`${one}::text`),
  )
}

/** Does a phone number, as E.164, have the part? */
function matchesPart(phone: Sql, { starts, inside, end, whole }: PhoneSearch): Sql {
  const meets = [
    ...(inside === undefined ? [] : [sql`strpos(${phone}, ${inside}) > 0`]),
    ...(end === undefined ? [] : [sql`right(${phone}, ${end.length}::int) = ${end}`]),
    ...(starts.length === 0 ? [] : [sql`${phone} ^@ any(${starts}::text[])`]),
    ...(whole.length === 0 ? [] : [sql`${phone} = any(${whole}::text[])`]),
  ]
  return sql`(${join(meets, ' or ')})`
}

function compare(operator: FilterOperator, value: Sql, operands: Sql[]): Sql {
  const [first = sql`null`, second = sql`null`] = operands
  const comparison = COMPARISONS[operator]
  if (comparison) return sql`${value} ${comparison} ${first}`
  if (operator === 'between') return sql`${value} between ${first} and ${second}`
  if (operator === 'in') return sql`${value} in (${join(operands)})`
  if (operator === 'contains') return sql`strpos(${lower(value)}, ${lower(first)}) > 0`
  if (operator === 'startsWith') return sql`starts_with(${lower(value)}, ${lower(first)})`
  if (operator === 'endsWith') return sql`right(${lower(value)}, length(${lower(first)})) = ${lower(first)}`
  return sql`${value} = ${first}`
}

/** The elements of a list value, none when there is no value. */
export const elements = (stored: Sql) =>
  sql`jsonb_array_elements(case when jsonb_typeof(${stored}) = 'array' then ${stored} else '[]' end) as element`

function positive(input: Operands): Sql {
  const { attribute, stored, operator, operands } = input
  if (attribute.type === 'list') {
    const any = sql`exists (select from ${elements(stored)} where (element #>> '{}') in (${join(operands)}))`
    return any
  }
  if (!attribute.isList) return matches({ attribute, operator, operands }, stored)
  return sql`exists (select from ${elements(stored)} where ${matches(input, sql`element`)})`
}

function unary({ stored, operator }: Pick<Operands, 'stored' | 'operator'>): Sql {
  const empty = sql`(${stored} is null or ${stored} = '[]')`
  const has = (flag: Sql) => sql`coalesce(${stored} @> ${flag}, false)`
  if (operator === 'isEmpty') return empty
  if (operator === 'isNotEmpty') return sql`not ${empty}`
  if (operator === 'isTrue') return has(sql`'true'`)
  return sql`(${empty} or ${has(sql`'false'`)})`
}

const SEARCHES = new Set<FilterOperator>(['contains', 'notContains', 'startsWith', 'endsWith'])

function readOperand(attribute: FilteredAttribute, operator: FilterOperator, text: string, locale: Locale) {
  return SEARCHES.has(operator) ? searchOperand(attribute, text) : comparableOperand(attribute, text, locale)
}

function checkCount(
  operator: FilterOperator,
  values: readonly string[],
  isArray: boolean,
): string | undefined {
  if (operator === 'between')
    return isArray && values.length === 2 ? undefined : 'takes an array of two values'
  if (operator === 'in' || operator === 'notIn') return isArray ? undefined : 'takes an array of values'
  return isArray ? 'takes one value' : undefined
}

/** What a filter needs to know of an attribute. */
export type FilteredAttribute = Pick<ModelAttribute, 'slug' | 'type' | 'isList'>

export interface FilterInput {
  attribute: FilteredAttribute
  /** Where its values are, as jsonb; unset: in `records r` */
  stored?: Sql
  operator: FilterOperator
  value: string | readonly string[]
}

/** One filter as a condition, true or false for every record (never null). */
export function compileFilter(
  { attribute, stored = storedValue(attribute), operator, value }: FilterInput,
  locale: Locale,
): Compiled {
  if (!OPERATORS[attribute.type].includes(operator))
    return refuse(
      'operator_not_defined',
      `${attribute.slug} is of type ${attribute.type}, which does not know ${operator}`,
    )
  const isArray = typeof value !== 'string'
  const values = isArray ? value : [value]
  const wrongCount = checkCount(operator, values, isArray)
  if (wrongCount) return refuse('wrong_operand', `${operator} on ${attribute.slug} ${wrongCount}`)
  if (UNARY.has(operator)) {
    if (values[0] !== 'true')
      return refuse('wrong_operand', `${operator} on ${attribute.slug} takes the text true`)
    return { condition: unary({ stored, operator }), leaf: { attribute, operator, operands: [] } }
  }
  const operands: string[] = []
  for (const one of values) {
    const read = readOperand(attribute, operator, one, locale)
    if ('problem' in read) return refuse('wrong_operand', `${operator} on ${attribute.slug}: ${read.problem}`)
    operands.push(read.value)
  }
  const affirmed = NEGATED[operator]
  const condition = sql`coalesce(${positive({ attribute, stored, operator: affirmed ?? operator, operands })}, false)`
  const leaf = { attribute, operator, operands }
  return { condition: affirmed ? sql`not ${condition}` : condition, leaf }
}
