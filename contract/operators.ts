// Operators of filters: what each compares with, and groups of them that types of attributes have. The dashboard reads
// this at run time.

interface OperatorShape {
  /** One operand, an array of two, an array of 1 to OPERANDS_MAX, or `true` where there is nothing to compare with. */
  takes: 'nothing' | 'one' | 'two' | 'many'
  /** The operator it is the opposite of; records without a value match it. */
  negates?: string
  /** It looks for a part of a text. */
  isPart?: true
  /** Beyond the specification: not in query parameters. */
  isExtension?: true
}

const shapes = {
  equals: { takes: 'one' },
  notEquals: { takes: 'one', negates: 'equals' },
  contains: { takes: 'one', isPart: true },
  notContains: { takes: 'one', isPart: true, negates: 'contains' },
  startsWith: { takes: 'one', isPart: true },
  endsWith: { takes: 'one', isPart: true },
  greaterThan: { takes: 'one' },
  lessThan: { takes: 'one' },
  greaterThanOrEqual: { takes: 'one' },
  lessThanOrEqual: { takes: 'one' },
  isEmpty: { takes: 'nothing' },
  isNotEmpty: { takes: 'nothing' },
  isTrue: { takes: 'nothing' },
  isFalse: { takes: 'nothing' },
  in: { takes: 'many', isExtension: true },
  notIn: { takes: 'many', isExtension: true, negates: 'in' },
  between: { takes: 'two', isExtension: true },
} as const satisfies Record<string, OperatorShape>

export type FilterOperator = keyof typeof shapes
export type NegatedOperator = {
  [Name in FilterOperator]: (typeof shapes)[Name] extends { negates: string } ? Name : never
}[FilterOperator]
export type AffirmedOperator = Exclude<FilterOperator, NegatedOperator>

export const OPERATOR_SHAPES: Readonly<
  Record<FilterOperator, OperatorShape & { negates?: AffirmedOperator }>
> = shapes

export const SEARCH_OPERATORS = Object.keys(shapes) as FilterOperator[]
export const FILTER_OPERATORS = SEARCH_OPERATORS.filter((one) => !OPERATOR_SHAPES[one].isExtension)

/** The most operands that `in` and `notIn` take. */
export const OPERANDS_MAX = 100

export const SET_OPERATORS = ['in', 'notIn'] as const
export const EMPTY_OPERATORS = ['isEmpty', 'isNotEmpty'] as const
const ORDERINGS = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual', 'between'] as const

/** Of types whose values are texts. */
export const TEXT_OPERATORS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  ...SET_OPERATORS,
  ...EMPTY_OPERATORS,
] as const

/** Of types whose values have an order. */
export const ORDERED_OPERATORS = [
  'equals',
  'notEquals',
  ...SET_OPERATORS,
  ...ORDERINGS,
  ...EMPTY_OPERATORS,
] as const

/** Operators of `having` in reports. */
export const HAVING_OPERATORS = ['equals', 'notEquals', ...ORDERINGS, ...EMPTY_OPERATORS] as const
export type HavingOperator = (typeof HAVING_OPERATORS)[number]
