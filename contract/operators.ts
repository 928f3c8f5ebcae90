// Filter operators: their operands, and the groups of operators that attribute types have. The dashboard loads this at
// run time.

interface OperatorShape {
  /** one: one operand; two: an array of two; many: an array of 1 to OPERANDS_MAX; nothing: `true`. */
  takes: 'nothing' | 'one' | 'two' | 'many'
  /** The opposite operator. Records without a value match the negation. */
  negates?: string
  /** Searches for a part of a text. */
  isPart?: true
  /** Beyond the specification; not available in query parameters. */
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

/** Maximum operands of `in` and `notIn`. */
export const OPERANDS_MAX = 100

export const SET_OPERATORS = ['in', 'notIn'] as const
export const EMPTY_OPERATORS = ['isEmpty', 'isNotEmpty'] as const
const ORDERINGS = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual', 'between'] as const

/** Operators of types with text values. */
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

/** Operators of types with ordered values. */
export const ORDERED_OPERATORS = [
  'equals',
  'notEquals',
  ...SET_OPERATORS,
  ...ORDERINGS,
  ...EMPTY_OPERATORS,
] as const

export const HAVING_OPERATORS = ['equals', 'notEquals', ...ORDERINGS, ...EMPTY_OPERATORS] as const
export type HavingOperator = (typeof HAVING_OPERATORS)[number]
