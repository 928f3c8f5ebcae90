// The default words of operators. Types can override them.
import type { FilterOperator } from '../../../contract/operators.ts'

export type OperatorWords = Readonly<Record<FilterOperator, string>>

export const OPERATOR_WORDS: OperatorWords = {
  equals: 'is',
  notEquals: 'is not',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  greaterThan: 'is more than',
  lessThan: 'is less than',
  greaterThanOrEqual: 'is at least',
  lessThanOrEqual: 'is at most',
  isEmpty: 'is empty',
  isNotEmpty: 'is not empty',
  isTrue: 'is checked',
  isFalse: 'is not checked',
  in: 'is any of',
  notIn: 'is none of',
  between: 'is between',
}

/** Differing words for attributes with several values. */
export const LIST_WORDS: Partial<OperatorWords> = {
  equals: 'has',
  notEquals: 'does not have',
  in: 'has any of',
  notIn: 'has none of',
}
