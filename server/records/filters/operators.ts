// Defines each operator as SQL and in memory. Negated operators have no separate definition: contract/operators.ts
// lists them.
import sql, { join, type Sql } from 'sql-template-tag'
import {
  type AffirmedOperator,
  type FilterOperator,
  OPERATOR_SHAPES,
  SEARCH_OPERATORS,
} from '../../../contract/operators.ts'
import { lower } from './comparable.ts'

/** One value in memory. */
export interface ComparableValue<Operand> {
  equals(operand: Operand | undefined): boolean
  /** Negative, 0 or positive; undefined if the values have no order. */
  order(operand: Operand | undefined): number | undefined
  /** Compares the text of the value with that of the operand, both in lower case. */
  search(operand: Operand | undefined, isFound: (text: string, part: string) => boolean): boolean
}

/** An operator that matches if one of the values matches; both sides are texts, or both are numbers. */
interface ValueOperator {
  of: 'value'
  /** Whether the operator selects a range of values, which may be open at one end. */
  isRange: boolean
  sql(value: Sql, operands: readonly Sql[]): Sql
  matches<Operand>(value: ComparableValue<Operand>, operands: readonly Operand[]): boolean
}

/** Conditions on the values of an attribute, in SQL or in memory. */
export interface Presence<Condition> {
  isEmpty: Condition
  hasFlag(flag: boolean): Condition
}

/** An operator on all values of an attribute. */
interface FieldOperator {
  of: 'field'
  sql(field: Presence<Sql>): Sql
  matches(field: Presence<boolean>): boolean
}

const NULL = sql`null`

type Compare = Pick<ValueOperator, 'sql' | 'matches'>

const ofValue = (compare: Compare): ValueOperator => ({ of: 'value', isRange: false, ...compare })

const ordering = (sign: Sql, isMet: (order: number) => boolean): ValueOperator => ({
  of: 'value',
  isRange: true,
  sql: (value, [operand = NULL]) => sql`${value} ${sign} ${operand}`,
  matches: (value, [operand]) => {
    const order = value.order(operand)
    return order !== undefined && isMet(order)
  },
})

const greaterThanOrEqual = ordering(sql`>=`, (order) => order >= 0)
const lessThanOrEqual = ordering(sql`<=`, (order) => order <= 0)

const DEFINITIONS = {
  equals: ofValue({
    sql: (value, [operand = NULL]) => sql`${value} = ${operand}`,
    matches: (value, [operand]) => value.equals(operand),
  }),
  in: ofValue({
    sql: (value, operands) => sql`${value} in (${join([...operands])})`,
    matches: (value, operands) => operands.some((operand) => value.equals(operand)),
  }),
  contains: ofValue({
    sql: (value, [part = NULL]) => sql`strpos(${lower(value)}, ${lower(part)}) > 0`,
    matches: (value, [operand]) => value.search(operand, (text, part) => text.includes(part)),
  }),
  startsWith: ofValue({
    sql: (value, [part = NULL]) => sql`starts_with(${lower(value)}, ${lower(part)})`,
    matches: (value, [operand]) => value.search(operand, (text, part) => text.startsWith(part)),
  }),
  endsWith: ofValue({
    sql: (value, [part = NULL]) => sql`right(${lower(value)}, length(${lower(part)})) = ${lower(part)}`,
    matches: (value, [operand]) => value.search(operand, (text, part) => text.endsWith(part)),
  }),
  greaterThan: ordering(sql`>`, (order) => order > 0),
  lessThan: ordering(sql`<`, (order) => order < 0),
  greaterThanOrEqual,
  lessThanOrEqual,
  between: {
    of: 'value',
    isRange: true,
    sql: (value, [low = NULL, high = NULL]) => sql`${value} between ${low} and ${high}`,
    matches: (value, [low, high]) =>
      greaterThanOrEqual.matches(value, [low]) && lessThanOrEqual.matches(value, [high]),
  },
  isEmpty: { of: 'field', sql: ({ isEmpty }) => isEmpty, matches: ({ isEmpty }) => isEmpty },
  isNotEmpty: {
    of: 'field',
    sql: ({ isEmpty }) => sql`not ${isEmpty}`,
    matches: ({ isEmpty }) => !isEmpty,
  },
  isTrue: {
    of: 'field',
    sql: (field) => field.hasFlag(true),
    matches: (field) => field.hasFlag(true),
  },
  isFalse: {
    of: 'field',
    sql: (field) => sql`(${field.isEmpty} or ${field.hasFlag(false)})`,
    matches: (field) => field.isEmpty || field.hasFlag(false),
  },
} as const satisfies Record<AffirmedOperator, ValueOperator | FieldOperator>

const OPPOSITES: Readonly<Partial<Record<FilterOperator, FilterOperator>>> = {
  ...Object.fromEntries(SEARCH_OPERATORS.map((one) => [OPERATOR_SHAPES[one].negates, one])),
  isEmpty: 'isNotEmpty',
  isNotEmpty: 'isEmpty',
}

/** The operator that matches exactly the records that this one does not match. */
export const oppositeOf = (operator: FilterOperator): FilterOperator | undefined =>
  OPERATOR_SHAPES[operator].negates ?? OPPOSITES[operator]

/** The definition of an operator, or of the operator that it negates. */
export function operatorDefinition(operator: FilterOperator): {
  affirmed: AffirmedOperator
  isNegated: boolean
  definition: ValueOperator | FieldOperator
} {
  const { negates } = OPERATOR_SHAPES[operator]
  const affirmed = negates ?? (operator as AffirmedOperator)
  return { affirmed, isNegated: negates !== undefined, definition: DEFINITIONS[affirmed] }
}

/** How a range compares a value with its bounds; undefined for other operators. */
export function rangeSql(operator: FilterOperator): ValueOperator['sql'] | undefined {
  const { definition, isNegated } = operatorDefinition(operator)
  return definition.of === 'value' && definition.isRange && !isNegated ? definition.sql : undefined
}
