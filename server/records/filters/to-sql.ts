// Filters → SQL. Pure: slugs and operands become parameters, never text.
import sql, { join, type Sql } from 'sql-template-tag'
import { type AttributeType, TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import type { Problem } from '../../../contract/errors.ts'
import type { FilterOperator } from '../../../contract/operators.ts'
import { instead } from '../../base/suggestions.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { Locale } from '../values/attribute.ts'
import { isPhoneOperator, type PhoneSearch, phoneSearch } from '../values/phone-search.ts'
import { checkLeaf, type FilteredAttribute, type FilterLeaf, type LeafInput } from './check.ts'
import { comparableNumber, comparableText, elements, lower, NUMERIC, storedValue } from './comparable.ts'
import { operatorDefinition, oppositeOf, type Presence } from './operators.ts'
import type { ParsedTree } from './parse.ts'

/** A reference, and the filter that its records must meet. */
export interface AlongReference {
  /** The number of the reference attribute. */
  attr: number
  isList: boolean
  target: ObjectModel
  filter: RecordFilter
}

/** A condition on records; `leaf` is set if it is about one attribute. */
export interface RecordFilter {
  condition: Sql
  leaf: FilterLeaf | undefined
  /** The parts of a condition that must all match. */
  parts?: readonly RecordFilter[]
  /** The parts of a condition of which one must match. */
  any?: readonly RecordFilter[]
  /** The condition that must not match. Set only if no other field expresses the negation. */
  not?: RecordFilter
  /** The condition on referenced records. */
  along?: AlongReference
  /** The requested attribute and operator, if `leaf` does not have them. */
  asked?: { attributeSlug: string; operator: FilterOperator }
  /** The normalized word that values of one attribute must contain. */
  word?: { attribute: FilteredAttribute; word: string }
}

export const conditionsOf = (filters: readonly RecordFilter[]): Sql[] =>
  filters.map(({ condition }) => condition)

export const filterParts = (filter: RecordFilter): readonly RecordFilter[] => filter.parts ?? [filter]

export const allOf = (filters: readonly RecordFilter[]): RecordFilter => ({
  condition: sql`(${join(conditionsOf(filters), ' and ')})`,
  leaf: undefined,
  parts: filters.flatMap(filterParts),
})

export const anyOf = (filters: readonly RecordFilter[]): RecordFilter => ({
  condition: sql`(${join(conditionsOf(filters), ' or ')})`,
  leaf: undefined,
  any: filters,
})

/**
 * The filter that matches all other records: conditions are never null. The parts are negated too, so that their index
 * rows can be used, except the words of a search, which are compared together.
 */
export function noneOf(filter: RecordFilter): RecordFilter {
  const { leaf, parts, any, not, asked } = filter
  const negated = { condition: sql`(not ${filter.condition})`, leaf: undefined, ...(asked && { asked }) }
  if (not) return not
  const operator = leaf && oppositeOf(leaf.operator)
  if (operator) return { ...negated, leaf: { ...leaf, operator } }
  if (parts) return { ...negated, any: parts.map(noneOf) }
  if (any && !any.some(({ word }) => word)) return { ...negated, parts: any.map(noneOf) }
  return { ...negated, not: filter }
}

export function treeFilter(tree: ParsedTree<RecordFilter>): RecordFilter {
  if ('leaf' in tree) return tree.leaf
  if ('not' in tree) return noneOf(treeFilter(tree.not))
  const filters = tree.members.map(treeFilter)
  const [only, another] = filters
  if (only && !another) return only
  return tree.group === 'or' ? anyOf(filters) : allOf(filters)
}

/** Values of one attribute in a statement. */
export interface FieldSql extends Presence<Sql> {
  /** Whether one of the values matches; null counts as false. */
  matches(asked: Pick<FilterLeaf, 'operator' | 'operands'>): Sql
}

/** A condition that is true or false for every record, never null. */
export function conditionOf(
  { operator, operands }: Pick<FilterLeaf, 'operator' | 'operands'>,
  field: FieldSql,
): Sql {
  const { affirmed, isNegated, definition } = operatorDefinition(operator)
  if (definition.of === 'field') return definition.sql(field)
  const condition = sql`coalesce(${field.matches({ operator: affirmed, operands })}, false)`
  return isNegated ? sql`not ${condition}` : condition
}

/** Whether a value matches an operator that compares values; operands become parameters by `toParameter`. */
export function compareSql(
  { operator, operands }: Pick<FilterLeaf, 'operator' | 'operands'>,
  value: Sql,
  toParameter: (operand: string) => Sql,
): Sql {
  const { definition } = operatorDefinition(operator)
  if (definition.of === 'field') throw new Error(`${operator} compares no value`)
  return definition.sql(value, operands.map(toParameter))
}

/** Whether the comparable text of a value matches. */
export function matchesText(
  type: AttributeType,
  text: Sql,
  asked: Pick<FilterLeaf, 'operator' | 'operands'>,
): Sql {
  const { operator, operands } = asked
  if (type === 'phone_number' && isPhoneOperator(operator))
    return matchesPart(text, phoneSearch(operator, operands[0] ?? ''))
  if (RECORD_TYPES[type].ignoresCase) return compareSql(asked, lower(text), (one) => lower(sql`${one}::text`))
  return compareSql(asked, text, (one) => sql`${one}::text`)
}

/** Whether a phone number, as E.164, has the part. */
function matchesPart(phone: Sql, { starts, inside, end, whole }: PhoneSearch): Sql {
  const meets = [
    ...(inside === undefined ? [] : [sql`strpos(${phone}, ${inside}) > 0`]),
    ...(end === undefined ? [] : [sql`right(${phone}, ${end.length}::int) = ${end}`]),
    ...(starts.length === 0 ? [] : [sql`${phone} ^@ any(${starts}::text[])`]),
    ...(whole.length === 0 ? [] : [sql`${phone} = any(${whole}::text[])`]),
  ]
  return sql`(${join(meets, ' or ')})`
}

/** `contains` on a list tests for the whole element, not for a part of it. */
const ofElements = (type: AttributeType, operator: FilterLeaf['operator']): FilterLeaf['operator'] =>
  type === 'list' && operator === 'contains' ? 'equals' : operator

/** @param stored the values of the attribute, as a jsonb expression */
function storedField({ type, isList }: FilteredAttribute, stored: Sql): FieldSql {
  return {
    isEmpty: sql`(${stored} is null or ${stored} = '[]')`,
    hasFlag: (flag) => sql`coalesce(${stored} @> ${flag ? sql`'true'` : sql`'false'`}, false)`,
    matches({ operator, operands }) {
      const asked = { operator: ofElements(type, operator), operands }
      const matches = (value: Sql) =>
        NUMERIC.has(type)
          ? compareSql(asked, comparableNumber(type, value), (one) => sql`${one}::numeric`)
          : matchesText(type, comparableText(type, value), asked)
      if (!isList && type !== 'list') return matches(stored)
      return sql`exists (select from ${elements(stored)} where ${matches(sql`element`)})`
    },
  }
}

/** A compiled filter. An invalid one has only `problem`. */
export type Compiled = RecordFilter | { problem: Omit<Problem, 'path'> }

/** @param stored the values of the attribute; by default those of `records r` */
export function compileFilter(input: LeafInput & { stored?: Sql }, locale: Locale): Compiled {
  const { attribute, operator, stored = storedValue(attribute) } = input
  const leaf = checkLeaf(input, { locale })
  if ('operands' in leaf) return { condition: conditionOf(leaf, storedField(attribute, stored)), leaf }
  const message =
    leaf.part === 'value'
      ? `${operator} on ${attribute.slug}: ${leaf.message}`
      : `${attribute.slug} (${attribute.type}) has no operator "${operator}": ${instead(operator, TYPE_CONTRACTS[attribute.type].operators)}`
  return { problem: { code: leaf.code, message } }
}
