// Filters of a definition, and those over its measures, in words.
import { ID_TYPES } from '../../../../../contract/attribute-types.ts'
import type { FilterOperator } from '../../../../../contract/operators.ts'
import { comparedAs } from '../../../../shared/filters/operands.ts'
import { operatorWords } from '../../../../shared/filters/operator-words.ts'
import { OPERATOR_WORDS } from '../../../../shared/filters/plain-words.ts'
import { formatValue } from '../../../../shared/values/format-value.ts'
import type { FieldWords } from './definition-places.ts'

interface Tree {
  and?: unknown
  or?: unknown
  field?: unknown
  key?: unknown
  operator?: unknown
  value?: unknown
}

/** What a record is called, where it is known. */
export type RecordNames = ReadonlyMap<string, string>

const asTree = (given: unknown): Tree => (typeof given === 'object' && given !== null ? given : {})

const SPANS: Readonly<Record<string, string>> = {
  month_to_date: 'this month so far',
  quarter_to_date: 'this quarter so far',
  year_to_date: 'this year so far',
}

/** `the last 30 days`, `this month` */
const spanWords = (relative: string): string =>
  SPANS[relative] ?? `${/_days$/.test(relative) ? 'the ' : ''}${relative.replaceAll('_', ' ')}`

const SPAN_VERBS: Partial<Record<FilterOperator, string>> = {
  equals: 'is in',
  notEquals: 'is not in',
  lessThan: 'is before',
  lessThanOrEqual: 'is in or before',
  greaterThan: 'is after',
  greaterThanOrEqual: 'is in or after',
}
const DAYS = ['today', 'yesterday', 'tomorrow']

function spanCondition(words: string, operator: FilterOperator, relative: string): string {
  const isDay = DAYS.includes(relative)
  const verb = isDay ? operatorWords({ type: 'date', isList: false }, operator) : SPAN_VERBS[operator]
  return `${words} ${verb ?? OPERATOR_WORDS[operator] ?? operator} ${spanWords(relative)}`
}

function operandWords({ type }: FieldWords, value: unknown, names: RecordNames): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'checked' : 'not checked'
  if (ID_TYPES.has(type)) return names.get(String(value)) ?? 'a certain record'
  return formatValue({ type: comparedAs(type) }, value)
}

const WITHOUT_OPERAND = /^is[A-Z]/

interface Comparison {
  subject: FieldWords
  operator: FilterOperator
  value: unknown
  names: RecordNames
}

function comparison({ subject, operator, value, names }: Comparison): string {
  const { words, type, attribute } = subject
  const relative = asTree(value) as { relative?: unknown }
  if (typeof relative.relative === 'string') return spanCondition(words, operator, relative.relative)
  const verb =
    operatorWords({ type, isList: attribute?.isList ?? false }, operator) ?? String(operator ?? '…')
  if (WITHOUT_OPERAND.test(operator)) return `${words} ${verb}`
  const operands = [value].flat().map((one) => operandWords(subject, one, names))
  return `${words} ${verb} ${operands.join(operator === 'between' ? ' and ' : ', ')}`
}

/** @param wordsOf of a field, or of a key */
export function treeWords(
  given: unknown,
  wordsOf: (name: string) => FieldWords,
  names: RecordNames,
  isInner = false,
): string {
  const { and, or, field, key, operator, value } = asTree(given)
  const items = and ?? or
  if (Array.isArray(items)) {
    const parts = items.map((item) => treeWords(item, wordsOf, names, true)).filter(Boolean)
    const text = parts.join(and ? ' and ' : ' or ')
    return isInner && parts.length > 1 ? `(${text})` : text
  }
  const name = field ?? key
  if (typeof name !== 'string') return ''
  return comparison({ subject: wordsOf(name), operator: operator as FilterOperator, value, names })
}

/** Fields that are compared with records, with the ids of those. */
export function comparedRecords(given: unknown): { field: string; recordId: string }[] {
  const { and, or, field, operator, value } = asTree(given)
  const items = and ?? or
  if (Array.isArray(items)) return items.flatMap(comparedRecords)
  if (typeof field !== 'string' || WITHOUT_OPERAND.test(String(operator))) return []
  return [value].flat().flatMap((one) => (typeof one === 'string' ? { field, recordId: one } : []))
}
