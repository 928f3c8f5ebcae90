// Trees of conditions: `filters` over fields, `having` over measures. Operands become parameters, never text.
import sql, { join, type Sql } from 'sql-template-tag'
import { FILTER_DEPTH_MAX, FILTERS_MAX } from '../../../contract/limits.ts'
import { type FilterOperator, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { RELATIVE_DATES } from '../../../contract/report-states.ts'
import { compileFilter } from '../../records/filters.ts'
import { type PlannedField, planField } from './fields.ts'
import type { PlannedObject } from './objects.ts'
import { type Planning, shown } from './planning.ts'
import { type DaySpan, relativeDays } from './relative-dates.ts'

export type TreeNode = Record<string, unknown>

interface Walk {
  planning: Planning
  leaf: (node: TreeNode, path: string) => Sql | undefined
  /** Names of what a leaf may hold. */
  fields: ReadonlySet<string>
  count: number
}

const isNode = (value: unknown): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function walkGroup(walk: Walk, members: unknown, { path, depth }: { path: string; depth: number }) {
  if (!Array.isArray(members) || members.length === 0 || members.length > FILTERS_MAX)
    return walk.planning.note(path, 'invalid_group', `must be an array of 1 to ${FILTERS_MAX} conditions`)
  const parts = members.map((member, index) =>
    walkNode(walk, member, { path: `${path}[${index}]`, depth: depth + 1 }),
  )
  const conditions = parts.filter((part) => part !== undefined)
  if (conditions.length === 0) return undefined
  return sql`(${join(conditions, path.endsWith('.or') ? ' or ' : ' and ')})`
}

function walkNode(
  walk: Walk,
  node: unknown,
  { path, depth }: { path: string; depth: number },
): Sql | undefined {
  const { planning } = walk
  if (!isNode(node))
    return planning.note(path, 'invalid_type', 'must be a condition, {"and": […]} or {"or": […]}')
  if (depth > FILTER_DEPTH_MAX)
    return planning.note(path, 'too_deep', `trees go to depth ${FILTER_DEPTH_MAX}`)
  const keys = Object.keys(node)
  const [group] = keys
  if (keys.length === 1 && (group === 'and' || group === 'or'))
    return walkGroup(walk, node[group], { path: `${path}.${group}`, depth })
  const unknown = keys.find((key) => !walk.fields.has(key))
  if (unknown !== undefined)
    return planning.note(path, 'unknown_field', `${shown(unknown)} is not known here`)
  if (++walk.count > FILTERS_MAX) {
    if (walk.count === FILTERS_MAX + 1)
      planning.note(path, 'too_many_filters', `at most ${FILTERS_MAX} conditions`)
    return undefined
  }
  return walk.leaf(node, path)
}

/** @returns undefined when there is none, or none that holds up */
export const planTree = (tree: unknown, path: string, walk: Omit<Walk, 'count'>): Sql | undefined =>
  tree === undefined ? undefined : walkNode({ ...walk, count: 0 }, tree, { path, depth: 0 })

export const operandText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined

const OPERANDS_MAX = 100

/** One text, or several. @returns undefined for anything else */
export function operandOf(value: unknown): string | string[] | undefined {
  if (!Array.isArray(value)) return operandText(value)
  const texts = value.map(operandText)
  const isFit = value.length >= 1 && value.length <= OPERANDS_MAX
  return isFit && texts.every((text) => text !== undefined) ? texts : undefined
}

const relativeOf = (value: unknown): unknown =>
  isNode(value) && Object.keys(value).length === 1 ? value['relative'] : undefined

/** How each operator compares with a span of days. */
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

function compile({ planning, field, operator, path }: Leaf, value: string | string[]): Sql | undefined {
  const { attribute, stored } = field
  const compiled = compileFilter({ attribute, stored, operator, value }, planning.surroundings.locale)
  if ('condition' in compiled) return compiled.condition
  const { code, message } = compiled.problem
  return planning.note(`${path}.${code === 'wrong_operand' ? 'value' : 'operator'}`, code, message)
}

function compileRelative(leaf: Leaf, name: unknown): Sql | undefined {
  const { planning, field, operator, path } = leaf
  const known = RELATIVE_DATES.find((one) => one === name)
  if (!known)
    return planning.note(
      `${path}.value`,
      'wrong_operand',
      `${shown(name)} is no span: there are ${RELATIVE_DATES.join(', ')}`,
    )
  const within = WITH_SPAN[operator]
  if (field.attribute.type !== 'date' || !within)
    return planning.note(
      `${path}.value`,
      'wrong_operand',
      `spans are for dates, with ${Object.keys(WITH_SPAN).join(', ')}`,
    )
  const [plain, value] = within(relativeDays(known, planning.surroundings.today))
  const condition = compile({ ...leaf, operator: plain }, value)
  return condition && operator === 'notEquals' ? sql`not ${condition}` : condition
}

function filterLeaf(planning: Planning, objects: readonly PlannedObject[], node: TreeNode, path: string) {
  const field = planField(planning, objects, { field: node['field'], path: `${path}.field` })
  const operator = SEARCH_OPERATORS.find((one) => one === node['operator'])
  if (!operator)
    return planning.note(`${path}.operator`, 'unknown_operator', `there are ${SEARCH_OPERATORS.join(', ')}`)
  if (!field) return undefined
  const leaf = { planning, field, operator, path }
  const { value } = node
  const relative = relativeOf(value)
  if (relative !== undefined) return compileRelative(leaf, relative)
  const operand = operandOf(value)
  if (operand !== undefined) return compile(leaf, operand)
  const message = `takes text, a number, true or false, or an array of 1 to ${OPERANDS_MAX} of them`
  return planning.note(`${path}.value`, 'wrong_operand', message)
}

const FILTER_FIELDS = new Set(['field', 'operator', 'value'])

/** Conditions on the joined records; a record that a left join did not find has no values. */
export const planFilters = (
  planning: Planning,
  objects: readonly PlannedObject[],
  filters: unknown,
): Sql | undefined =>
  planTree(filters, 'filters', {
    planning,
    fields: FILTER_FIELDS,
    leaf: (node, path) => filterLeaf(planning, objects, node, path),
  })
