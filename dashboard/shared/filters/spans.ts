// Spans of time that dates are compared with, such as the last 30 days.
import type { FilterOperator } from '../../../contract/operators.ts'
import { operatorWords } from './operator-words.ts'
import { OPERATOR_WORDS } from './plain-words.ts'

export interface Span {
  relative: string
}

export interface SpanChoice {
  value: string
  label: string
}

export const isSpan = (value: unknown): value is Span =>
  typeof value === 'object' && value !== null && 'relative' in value && typeof value.relative === 'string'

const VERBS: Partial<Record<FilterOperator, string>> = {
  equals: 'is in',
  notEquals: 'is not in',
  lessThan: 'is before',
  lessThanOrEqual: 'is in or before',
  greaterThan: 'is after',
  greaterThanOrEqual: 'is in or after',
}

export const takesSpan = (operator: FilterOperator): boolean => operator in VERBS

const DAYS: readonly string[] = ['today', 'yesterday', 'tomorrow']

/** `is in` before `the last 30 days`, `is` before `today` */
export function spanVerb(operator: FilterOperator, relative: string): string {
  const verb = DAYS.includes(relative)
    ? operatorWords({ type: 'date', isList: false }, operator)
    : VERBS[operator]
  return verb ?? OPERATOR_WORDS[operator] ?? operator
}

/** `last_30_days` → `the last 30 days`, `month_to_date` → `this month so far`, `last_quarter` → `last quarter` */
export function spanWords(relative: string): string {
  const [unit, toDate] = relative.split('_to_')
  if (toDate !== undefined) return `this ${unit} so far`
  return `${relative.endsWith('_days') ? 'the ' : ''}${relative.replaceAll('_', ' ')}`
}
