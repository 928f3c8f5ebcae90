// `filters` of a report: conditions on the fields of the joined records.

import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { FILTERS_MAX } from '../../../contract/limits.ts'
import type { FilterOperator } from '../../../contract/operators.ts'
import { SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { RELATIVE_DATES } from '../../../contract/report-states.ts'
import { instead, sentName } from '../../base/suggestions.ts'
import { alongPath } from '../../records/filters/along.ts'
import { type Grammar, isNode, LeafLimit, parseFilters, type TreeNode } from '../../records/filters/parse.ts'
import { anyOf, compileFilter, noneOf, type RecordFilter, treeFilter } from '../../records/filters/to-sql.ts'
import { type PlannedField, planField } from './fields.ts'
import type { PlannedObject } from './objects.ts'
import { existsAlong, type PlannedPath } from './paths.ts'
import type { Planning } from './planning.ts'
import { type DaySpan, relativeDays } from './relative-dates.ts'

/** Plans a tree of conditions. @returns undefined without a tree, or with an invalid one */
export function planTree(
  planning: Planning,
  { tree, path, fields }: { tree: unknown; path: string; fields: ReadonlySet<string> },
  leaf: Grammar<RecordFilter>['leaf'],
): Sql | undefined {
  if (tree === undefined) return undefined
  const parsed = parseFilters(tree, path, {
    noun: 'condition',
    fields,
    membersMax: FILTERS_MAX,
    limit: new LeafLimit(),
    note: (at, code, message) => planning.note(at, code, message),
    leaf,
  })
  return parsed && treeFilter(parsed).condition
}

const relativeOf = (value: unknown): unknown =>
  isNode(value) && Object.keys(value).length === 1 ? value['relative'] : undefined

/** How each operator compares with a range of days. */
const WITH_SPAN: Partial<Record<FilterOperator, (span: DaySpan) => [FilterOperator, string | string[]]>> = {
  equals: ({ from, to }) => ['between', [from, to]],
  notEquals: ({ from, to }) => ['between', [from, to]],
  greaterThan: ({ to }) => ['greaterThan', to],
  greaterThanOrEqual: ({ from }) => ['greaterThanOrEqual', from],
  lessThan: ({ from }) => ['lessThan', from],
  lessThanOrEqual: ({ to }) => ['lessThanOrEqual', to],
}

interface Leaf {
  planning: Planning
  field: PlannedField
  operator: FilterOperator
  path: string
}

function compile({ planning, field, operator, path }: Leaf, value: unknown): RecordFilter | undefined {
  const { attribute, stored } = field
  const compiled = compileFilter({ attribute, stored, operator, value }, planning.surroundings.locale)
  if ('condition' in compiled) return compiled
  const { code, message } = compiled.problem
  return planning.note(`${path}.${code === 'wrong_operand' ? 'value' : 'operator'}`, code, message)
}

function compileRelative(leaf: Leaf, name: unknown): RecordFilter | undefined {
  const { planning, field, operator, path } = leaf
  const known = RELATIVE_DATES.find((one) => one === name)
  if (!known)
    return planning.note(
      `${path}.value`,
      'wrong_operand',
      `must be a range of dates, not ${sentName(name)}: ${instead(name, RELATIVE_DATES)}`,
    )
  const within = WITH_SPAN[operator]
  if (field.attribute.type !== 'date' || !within)
    return planning.note(
      `${path}.value`,
      'wrong_operand',
      `must not be a relative range of dates: these are for dates, with ${Object.keys(WITH_SPAN).join(', ')}`,
    )
  const [plain, value] = within(relativeDays(known, planning.surroundings.today))
  const filter = compile({ ...leaf, operator: plain }, value)
  return filter && operator === 'notEquals'
    ? { condition: sql`not ${filter.condition}`, leaf: undefined }
    : filter
}

function compileAny(leaf: Leaf, value: unknown): RecordFilter | undefined {
  const relative = relativeOf(value)
  return relative === undefined ? compile(leaf, value) : compileRelative(leaf, relative)
}

/** Checks the original operator first, because it is replaced by others along references. */
function compileAlong(leaf: Leaf, value: unknown, along: PlannedPath): RecordFilter | undefined {
  if (!compileAny(leaf, value)) return undefined
  const any = (asked: { operator: FilterOperator; value: unknown }): RecordFilter => {
    const met = compileAny({ ...leaf, operator: asked.operator }, asked.value)
    return { condition: met ? existsAlong(along, met.condition) : sql`false`, leaf: undefined }
  }
  return alongPath(
    { operator: leaf.operator, value },
    { any, not: noneOf, or: (one, other) => anyOf([one, other]) },
  )
}

function filterLeaf(planning: Planning, objects: readonly PlannedObject[], node: TreeNode, path: string) {
  const field = planField(planning, objects, {
    field: node['field'],
    path: `${path}.field`,
    isCompared: true,
  })
  const operator = SEARCH_OPERATORS.find((one) => one === node['operator'])
  if (!operator)
    return planning.note(
      `${path}.operator`,
      'unknown_operator',
      `must be an operator, not ${sentName(node['operator'])}: ${instead(node['operator'], SEARCH_OPERATORS)}`,
    )
  if (!field) return undefined
  const leaf = { planning, field, operator, path }
  const { value } = node
  return field.along ? compileAlong(leaf, value, field.along) : compileAny(leaf, value)
}

const FIELDS = new Set(['field', 'operator', 'value'])

/** Conditions on the joined records; a record that a left join did not find has no values. */
export const planFilters = (
  planning: Planning,
  objects: readonly PlannedObject[],
  filters: unknown,
): Sql | undefined =>
  planTree(planning, { tree: filters, path: 'filters', fields: FIELDS }, (node, path) =>
    filterLeaf(planning, objects, node, path),
  )
