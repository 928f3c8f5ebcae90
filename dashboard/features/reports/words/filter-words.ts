// Describes the filters of a definition and the conditions on its measures.
import { ID_TYPES } from '../../../../contract/attribute-types.ts'
import type { FilterOperator } from '../../../../contract/operators.ts'
import { leavesOf, logicWords } from '../../../shared/filters/logic-tree.ts'
import { arityOf, comparedAs } from '../../../shared/filters/operands.ts'
import { operatorWords } from '../../../shared/filters/operator-words.ts'
import { isSpan, spanVerb, spanWords } from '../../../shared/filters/spans.ts'
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
  if (isSpan(value)) return `${words} ${spanVerb(operator, value.relative)} ${spanWords(value.relative)}`
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
