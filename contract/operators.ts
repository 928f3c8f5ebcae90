// Operators of filters, and the types of attributes each is defined for (decisions, section 3).
import type { AttributeType } from './attribute-types.ts'

export const FILTER_OPERATORS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
  'isEmpty',
  'isNotEmpty',
  'isTrue',
  'isFalse',
] as const
/** Beyond the specification, in search only. */
export const SEARCH_OPERATORS = [...FILTER_OPERATORS, 'in', 'notIn', 'between'] as const
export type FilterOperator = (typeof SEARCH_OPERATORS)[number]

const TEXT_OPERATORS = ['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith'] as const
const SET_OPERATORS = ['in', 'notIn'] as const
const EMPTY_OPERATORS = ['isEmpty', 'isNotEmpty'] as const
const ORDERINGS = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual', 'between'] as const

const textual = [...TEXT_OPERATORS, ...SET_OPERATORS, ...EMPTY_OPERATORS]
const ordered = ['equals', 'notEquals', ...SET_OPERATORS, ...ORDERINGS, ...EMPTY_OPERATORS] as const

/** The operators each type is defined for. */
export const OPERATORS: Record<AttributeType, readonly FilterOperator[]> = {
  text: textual,
  email: textual,
  phone_number: textual,
  name: textual,
  address: textual,
  select: textual,
  number: ordered,
  currency: ordered,
  date: ordered,
  checkbox: ['isTrue', 'isFalse', 'equals', 'notEquals', ...SET_OPERATORS, ...EMPTY_OPERATORS],
  list: ['equals', 'notEquals', 'contains', 'notContains', ...SET_OPERATORS, ...EMPTY_OPERATORS],
  reference: ['equals', 'notEquals', ...SET_OPERATORS, ...EMPTY_OPERATORS],
}
