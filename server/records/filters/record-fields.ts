// Filters by what every record has: its id, and when it was created and last changed. Evaluated in SQL for records, and
// in memory for events.
import sql, { join, type Sql } from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import {
  EMPTY_OPERATORS,
  type FilterOperator,
  ORDERED_OPERATORS,
  SET_OPERATORS,
} from '../../../contract/operators.ts'
import { idTime, lowestIdAt } from '../../id.ts'
import { isDay, momentOf } from '../values/day.ts'
import { type Fault, shapeProblem } from './check.ts'
import { definitionOf } from './operators.ts'

/** No attribute has one of these slugs: they are reserved. */
const FIELDS = { id: 'id', created_at: 'moment', updated_at: 'moment' } as const
export type RecordField = keyof typeof FIELDS

const OPERATORS: Readonly<Record<(typeof FIELDS)[RecordField], readonly FilterOperator[]>> = {
  id: ['equals', 'notEquals', ...SET_OPERATORS, ...EMPTY_OPERATORS],
  moment: ORDERED_OPERATORS,
}

export const isRecordField = (slug: unknown): slug is RecordField =>
  typeof slug === 'string' && Object.hasOwn(FIELDS, slug)

/** The moments that an operand names, in milliseconds since 1970: a day in UTC, or a millisecond. */
interface Span {
  fromMs: number
  /** Not part of it. */
  toMs: number
}

const DAY_MS = 86_400_000

function spanOf(text: string): Span | undefined {
  const fromMs = momentOf(text)
  return fromMs === undefined ? undefined : { fromMs, toMs: fromMs + (isDay(text) ? DAY_MS : 1) }
}

/** A filter that was checked. */
export interface RecordFieldLeaf {
  field: RecordField
  operator: FilterOperator
  ids: readonly string[]
  spans: readonly Span[]
}

const NOT_MOMENT =
  'must be a calendar day in UTC, such as 2026-11-20, or a timestamp with its offset, such as 2026-11-20T10:00:00Z'

interface Input {
  field: RecordField
  operator: FilterOperator
  value: unknown
}

/** @param isOpen whether a value is only known later, such as a template: it is not checked */
export function checkRecordField(
  { field, operator, value }: Input,
  isOpen: (value: unknown) => boolean = () => false,
): RecordFieldLeaf | Fault {
  const operators = OPERATORS[FIELDS[field]]
  if (!operators.includes(operator))
    return {
      part: 'operator',
      code: 'operator_not_defined',
      message: `must be one of ${operators.join(', ')}`,
    }
  const leaf: RecordFieldLeaf = { field, operator, ids: [], spans: [] }
  const faulty = (message: string): Fault => ({ part: 'value', code: 'wrong_operand', message })
  const problem = isOpen(value) ? undefined : shapeProblem(operator, value)
  if (problem) return faulty(problem)
  const { definition } = definitionOf(operator)
  if (definition.of === 'field') return leaf
  const texts = [value]
    .flat()
    .filter((one) => !isOpen(one))
    .map(String)
  if (field === 'id')
    return texts.every(isUuid)
      ? { ...leaf, ids: texts.map((id) => id.toLowerCase()) }
      : faulty('must be the id of a record')
  const spans = texts.map(spanOf).filter((span) => span !== undefined)
  return spans.length === texts.length ? { ...leaf, spans } : faulty(NOT_MOMENT)
}

/** How conditions are put together: from SQL, or from what is known in memory. */
interface Algebra<Condition> {
  is(truth: boolean): Condition
  isOneOf(ids: readonly string[]): Condition
  isFrom(field: RecordField, ms: number): Condition
  not(condition: Condition): Condition
  all(conditions: readonly Condition[]): Condition
  any(conditions: readonly Condition[]): Condition
}

function conditionOf<Condition>(
  { field, operator, ids, spans }: RecordFieldLeaf,
  { is, isOneOf, isFrom, not, all, any }: Algebra<Condition>,
): Condition {
  const [first = { fromMs: 0, toMs: 0 }, last = first] = spans
  const from = (ms: number) => isFrom(field, ms)
  const within = ({ fromMs }: Span, { toMs }: Span) => all([from(fromMs), not(from(toMs))])
  switch (operator) {
    case 'isEmpty':
    case 'isNotEmpty':
      return is(operator === 'isNotEmpty')
    case 'greaterThan':
      return from(first.toMs)
    case 'greaterThanOrEqual':
      return from(first.fromMs)
    case 'lessThan':
      return not(from(first.fromMs))
    case 'lessThanOrEqual':
      return not(from(first.toMs))
    case 'between':
      return within(first, last)
    default: {
      const found = field === 'id' ? isOneOf(ids) : any(spans.map((span) => within(span, span)))
      return definitionOf(operator).isNegated ? not(found) : found
    }
  }
}

/** On `records r`. Bounds that indexes have: a creation is a range of ids. */
const inSql: Algebra<Sql> = {
  is: (truth) => sql`${truth}::boolean`,
  isOneOf: (ids) => sql`r.id = any(${ids}::uuid[])`,
  isFrom: (field, ms) =>
    field === 'created_at'
      ? sql`r.id >= ${lowestIdAt(new Date(Math.max(0, ms)))}::uuid`
      : sql`r.updated_at >= to_timestamp(${ms / 1000}::float8)`,
  not: (condition) => sql`not ${condition}`,
  all: (conditions) => sql`(${join(conditions, ' and ')})`,
  any: (conditions) => sql`(${join(conditions, ' or ')})`,
}

/** The record of an event. */
export interface EventRecord {
  id: string
  /** When it was changed, in milliseconds since 1970. */
  updatedMs: number
}

const inMemory = ({ id, updatedMs }: EventRecord): Algebra<boolean> => ({
  is: (truth) => truth,
  isOneOf: (ids) => ids.includes(id),
  isFrom: (field, ms) => (field === 'created_at' ? idTime(id) : updatedMs) >= ms,
  not: (condition) => !condition,
  all: (conditions) => conditions.every(Boolean),
  any: (conditions) => conditions.some(Boolean),
})

/** A condition on `records r`, for which no index row exists. */
export const recordFieldSql = (leaf: RecordFieldLeaf): Sql => conditionOf(leaf, inSql)

export const matchesRecordField = (leaf: RecordFieldLeaf, record: EventRecord): boolean =>
  conditionOf(leaf, inMemory(record))
