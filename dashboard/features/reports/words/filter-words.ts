// Describes the filters of a definition and the conditions on its measures.
import { ID_TYPES } from '../../../../contract/attribute-types.ts'
import type { FilterOperator } from '../../../../contract/operators.ts'
import { leavesOf, logicWords } from '../../../shared/filters/logic-tree.ts'
import { arityOf, comparedAs } from '../../../shared/filters/operands.ts'
import { operatorWords } from '../../../shared/filters/operator-words.ts'
import { OPERATOR_WORDS } from '../../../shared/filters/plain-words.ts'
import { formatValue } from '../../../shared/values/format-value.ts'
import type { FieldWords } from './named-objects.ts'

interface Leaf {
  field?: unknown
  key?: unknown
  operator?: unknown
  value?: unknown
}

/** Names of records, if known. */
export type RecordNames = ReadonlyMap<string, string>

const asLeaf = (given: unknown): Leaf => (typeof given === 'object' && given !== null ? given : {})

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

interface Comparison {
  subject: FieldWords
  operator: FilterOperator
  value: unknown
  names: RecordNames
}

function comparison({ subject, operator, value, names }: Comparison): string {
  const { words, type, attribute } = subject
  const relative = asLeaf(value) as { relative?: unknown }
  if (typeof relative.relative === 'string') return spanCondition(words, operator, relative.relative)
  const verb =
    operatorWords({ type, isList: attribute?.isList ?? false }, operator) ?? String(operator ?? '…')
  if (arityOf(operator) === 'nothing') return `${words} ${verb}`
  const operands = [value].flat().map((one) => operandWords(subject, one, names))
  return `${words} ${verb} ${operands.join(operator === 'between' ? ' and ' : ', ')}`
}

/** @param wordsOf describes a field or a key */
export function treeWords(given: unknown, wordsOf: (name: string) => FieldWords, names: RecordNames): string {
  return logicWords(given, (leaf) => {
    const { field, key, operator, value } = asLeaf(leaf)
    const name = field ?? key
    if (typeof name !== 'string') return ''
    return comparison({ subject: wordsOf(name), operator: operator as FilterOperator, value, names })
  })
}

/** Fields that are compared with records, and the ids of those records. */
export const comparedRecords = (given: unknown): { field: string; recordId: string }[] =>
  leavesOf(given).flatMap((leaf) => {
    const { field, operator, value } = asLeaf(leaf)
    if (typeof field !== 'string' || arityOf(operator as FilterOperator) === 'nothing') return []
    return [value].flat().flatMap((one) => (typeof one === 'string' ? { field, recordId: one } : []))
  })
