// Filters by the fields of every record: its id, its creation time, the time of its last change, and its creator. They
// are evaluated in SQL for records, and in memory for events.
import sql, { join, type Sql } from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import {
  EMPTY_OPERATORS,
  type FilterOperator,
  ORDERED_OPERATORS,
  SET_OPERATORS,
} from '../../../contract/operators.ts'
import { idTime, lowestIdAt } from '../../base/id.ts'
import type { Locale } from '../values/attribute.ts'
import { isDay, timestampOfDay } from '../values/day.ts'
import { type FilterFault, shapeProblem } from './check.ts'
import { operatorDefinition } from './operators.ts'

/** These slugs are reserved for new attributes. An older attribute with one of them takes precedence. */
const FIELDS = { id: 'id', created_at: 'time', updated_at: 'time', created_by: 'id' } as const
export type RecordField = keyof typeof FIELDS
type NamedField = 'id' | 'created_by'

const OPERATORS: Readonly<Record<(typeof FIELDS)[RecordField], readonly FilterOperator[]>> = {
  id: ['equals', 'notEquals', ...SET_OPERATORS, ...EMPTY_OPERATORS],
  time: ORDERED_OPERATORS,
}

export const FILTERED_RECORD_FIELDS = Object.keys(FIELDS)

export const operatorsOfField = (field: RecordField): readonly FilterOperator[] => OPERATORS[FIELDS[field]]

export const isRecordField = (slug: unknown): slug is RecordField =>
  typeof slug === 'string' && Object.hasOwn(FIELDS, slug)

/** The times that an operand covers, in milliseconds since 1970: a day in UTC, or one millisecond. */
interface Span {
  fromMs: number
  /** Exclusive. */
  toMs: number
}

const DAY_MS = 86_400_000

function spanOf(text: string): Span | undefined {
  const fromMs = timestampOfDay(text)
  return fromMs === undefined ? undefined : { fromMs, toMs: fromMs + (isDay(text) ? DAY_MS : 1) }
}

const isNamed = (field: RecordField): field is NamedField => FIELDS[field] === 'id'

/** A checked filter. */
export interface RecordFieldLeaf {
  field: RecordField
  operator: FilterOperator
  ids: readonly string[]
  spans: readonly Span[]
}

const ID_EXAMPLE = '0198c0de-0000-7000-8000-000000000001'
const NOT_TIME =
  'must be a calendar day in UTC, such as 2026-11-20, or a timestamp with its offset, such as 2026-11-20T10:00:00Z'

const NOT_NAMED: Readonly<Record<NamedField, string>> = {
  id: `must be the id of a record, such as ${ID_EXAMPLE}`,
  created_by:
    'must be the id or the email of a member, me where a user is signed in, or the id of an API key or a workflow',
}

type Naming = Pick<Locale, 'me' | 'members'>

/** Emails were looked up before (named-members.ts). @returns undefined when the text names no record, member or key */
function idIn(field: NamedField, text: string, { me, members }: Naming): string | undefined {
  const name = text.trim().toLowerCase()
  const isId: boolean = isUuid(name)
  if (isId || field === 'id') return isId ? name : undefined
  return name === 'me' ? me : members?.get(name)
}

interface Input {
  field: RecordField
  operator: FilterOperator
  value: unknown
}

interface Reading {
  locale: Naming
  /** Whether a value, such as a template, is only known later. It is then not checked. */
  isOpen?: (value: unknown) => boolean
}

export function checkRecordField(
  { field, operator, value }: Input,
  { locale, isOpen = () => false }: Reading,
): RecordFieldLeaf | FilterFault {
  const operators = operatorsOfField(field)
  if (!operators.includes(operator))
    return {
      part: 'operator',
      code: 'operator_not_defined',
      message: `must be one of ${operators.join(', ')} on ${field}`,
    }
  const leaf: RecordFieldLeaf = { field, operator, ids: [], spans: [] }
  const faulty = (message: string): FilterFault => ({ part: 'value', code: 'wrong_operand', message })
  const problem = isOpen(value) ? undefined : shapeProblem(operator, value)
  if (problem) return faulty(problem)
  const { definition } = operatorDefinition(operator)
  if (definition.of === 'field') return leaf
  const texts = [value]
    .flat()
    .filter((one) => !isOpen(one))
    .map(String)
  if (isNamed(field)) {
    const ids = texts.map((text) => idIn(field, text, locale)).filter((id) => id !== undefined)
    return ids.length === texts.length ? { ...leaf, ids } : faulty(NOT_NAMED[field])
  }
  const spans = texts.map(spanOf).filter((span) => span !== undefined)
  return spans.length === texts.length ? { ...leaf, spans } : faulty(NOT_TIME)
}

/** How conditions are combined, in SQL or in memory. */
interface Algebra<Condition> {
  isEmpty(field: RecordField): Condition
  isOneOf(field: NamedField, ids: readonly string[]): Condition
  isFrom(field: RecordField, ms: number): Condition
  not(condition: Condition): Condition
  all(conditions: readonly Condition[]): Condition
  any(conditions: readonly Condition[]): Condition
}

function conditionOf<Condition>(
  { field, operator, ids, spans }: RecordFieldLeaf,
  { isEmpty, isOneOf, isFrom, not, all, any }: Algebra<Condition>,
): Condition {
  const [first = { fromMs: 0, toMs: 0 }, last = first] = spans
  const from = (ms: number) => isFrom(field, ms)
  const within = ({ fromMs }: Span, { toMs }: Span) => all([from(fromMs), not(from(toMs))])
  switch (operator) {
    case 'isEmpty':
      return isEmpty(field)
    case 'isNotEmpty':
      return not(isEmpty(field))
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
      const found = isNamed(field) ? isOneOf(field, ids) : any(spans.map((span) => within(span, span)))
      return operatorDefinition(operator).isNegated ? not(found) : found
    }
  }
}

/** Conditions on `records r`, with bounds that indexes support: a creation time is a bound of ids. */
const inSql: Algebra<Sql> = {
  isEmpty: (field) => (field === 'created_by' ? sql`(r.created_by is null)` : sql`false`),
  isOneOf: (field, ids) =>
    field === 'id'
      ? sql`r.id = any(${ids}::uuid[])`
      : sql`coalesce(r.created_by = any(${ids}::uuid[]), false)`,
  isFrom: (field, ms) =>
    field === 'created_at'
      ? sql`r.id >= ${lowestIdAt(new Date(Math.max(0, ms)))}::uuid`
      : sql`r.updated_at >= to_timestamp(${ms / 1000}::float8)`,
  not: (condition) => sql`not ${condition}`,
  all: (conditions) => sql`(${join(conditions, ' and ')})`,
  any: (conditions) => sql`(${join(conditions, ' or ')})`,
}

export interface EventRecord {
  id: string
  /** The time of its last change, in milliseconds since 1970. */
  updatedMs: number
  /** The id of a workflow, an API key or a user; null when unknown. */
  createdBy: string | null
}

const inMemory = ({ id, updatedMs, createdBy }: EventRecord): Algebra<boolean> => ({
  isEmpty: (field) => field === 'created_by' && createdBy === null,
  isOneOf: (field, ids) => ids.includes((field === 'id' ? id : createdBy) ?? ''),
  isFrom: (field, ms) => (field === 'created_at' ? idTime(id) : updatedMs) >= ms,
  not: (condition) => !condition,
  all: (conditions) => conditions.every(Boolean),
  any: (conditions) => conditions.some(Boolean),
})

/** A condition on `records r`, for which no index row exists. */
export const recordFieldSql = (leaf: RecordFieldLeaf): Sql => conditionOf(leaf, inSql)

export const matchesRecordField = (leaf: RecordFieldLeaf, record: EventRecord): boolean =>
  conditionOf(leaf, inMemory(record))
