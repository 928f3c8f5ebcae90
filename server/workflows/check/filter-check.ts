// Whether filters and conditions can be asked: what the records' own filters refuse is refused here, before a run.
import { FILTER_DEPTH_MAX, FILTERS_MAX } from '../../../contract/limits.ts'
import { type FilterOperator, OPERATORS, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { comparableOperand, searchOperand } from '../../records/operands.ts'
import type { Locale, ValueAttribute } from '../../records/values.ts'
import { isObject } from '../interpreter/values.ts'
import { findAttribute, type KnownObject } from './known.ts'
import { type Report, shown } from './report.ts'

const FIELDS = new Set(['attributeSlug', 'operator', 'value'])
const SEARCHES = new Set<FilterOperator>(['contains', 'notContains', 'startsWith', 'endsWith'])
export const UNARY: ReadonlySet<string> = new Set(['isEmpty', 'isNotEmpty', 'isTrue', 'isFalse'])
const SETS: ReadonlySet<string> = new Set(['in', 'notIn'])
const OPERANDS_MAX = 100

export interface FilterCheck {
  /** undefined: the object is not known, so neither are its attributes. */
  object: KnownObject | undefined
  locale: Locale
  report: Report
  /** Whether a run fills templates in. */
  hasTemplates: boolean
}

const isTemplate = (value: unknown) => typeof value === 'string' && value.includes('{{')
const isOperand = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Why one operand is none, in words. */
function operandProblem(
  attribute: ValueAttribute,
  operator: FilterOperator,
  value: unknown,
  check: FilterCheck,
) {
  if (check.hasTemplates && isTemplate(value)) return undefined
  if (isTemplate(value)) return 'cannot have templates: a trigger is asked before a run begins'
  if (!isOperand(value)) return 'must be text, a number, true or false'
  const read = SEARCHES.has(operator)
    ? searchOperand(attribute, String(value))
    : comparableOperand(attribute, String(value), check.locale)
  return 'problem' in read ? read.problem : undefined
}

/** How many operands an operator takes. */
export function countProblem(operator: string, value: unknown): string | undefined {
  // A template may yield a list.
  if (isTemplate(value)) return undefined
  if (operator === 'between')
    return Array.isArray(value) && value.length === 2 ? undefined : 'must be a list of two values'
  if (!SETS.has(operator)) return Array.isArray(value) ? 'must be one value' : undefined
  return Array.isArray(value) && value.length >= 1 && value.length <= OPERANDS_MAX
    ? undefined
    : `must be a list of 1 to ${OPERANDS_MAX} values`
}

function valueProblem(
  attribute: ValueAttribute,
  operator: FilterOperator,
  value: unknown,
  check: FilterCheck,
) {
  if (UNARY.has(operator))
    return String(value) === 'true' ? undefined : `must be true: ${operator} asks nothing else`
  const count = countProblem(operator, value)
  if (count) return count
  for (const one of Array.isArray(value) ? value : [value]) {
    const problem = operandProblem(attribute, operator, one, check)
    if (problem) return problem
  }
  return undefined
}

function checkLeaf(leaf: Readonly<Record<string, unknown>>, path: string, check: FilterCheck) {
  const { report, object } = check
  const unknown = Object.keys(leaf).find((key) => !FIELDS.has(key))
  if (unknown !== undefined) return report.add(path, 'unknown_field', `${shown(unknown)} is not known here`)
  const { attributeSlug: slug, operator, value } = leaf
  const known = SEARCH_OPERATORS.find((one) => one === operator)
  if (!known)
    return report.add(`${path}.operator`, 'unknown_operator', `must be one of ${SEARCH_OPERATORS.join(', ')}`)
  if (!object) return
  const attribute = typeof slug === 'string' ? findAttribute(object, slug) : undefined
  if (!attribute)
    return report.add(
      `${path}.attributeSlug`,
      'unknown_attribute',
      `${object.slug} has no attribute ${shown(slug)}: choose another`,
    )
  if (!OPERATORS[attribute.type].includes(known))
    return report.add(
      `${path}.operator`,
      'operator_not_defined',
      `must be one of ${OPERATORS[attribute.type].join(', ')}: ${attribute.slug} is of type ${attribute.type}`,
    )
  const problem = valueProblem(attribute, known, value, check)
  if (problem) report.add(`${path}.value`, 'wrong_operand', problem)
}

class FilterWalk {
  readonly #check: FilterCheck
  #count = 0

  constructor(check: FilterCheck) {
    this.#check = check
  }

  node(node: unknown, path: string, depth: number) {
    const { report } = this.#check
    if (!isObject(node))
      return report.add(path, 'invalid_type', 'must be a filter, {"and": […]} or {"or": […]}')
    if (depth > FILTER_DEPTH_MAX)
      return report.add(path, 'too_deep', `must be at most ${FILTER_DEPTH_MAX} groups inside each other`)
    const [group, ...others] = Object.keys(node)
    if (others.length === 0 && (group === 'and' || group === 'or'))
      return this.#members(node[group], `${path}.${group}`, depth)
    if (++this.#count > FILTERS_MAX)
      return report.add(path, 'too_many_filters', `must be at most ${FILTERS_MAX} filters in all`)
    checkLeaf(node, path, this.#check)
  }

  #members(members: unknown, path: string, depth: number) {
    if (!Array.isArray(members) || members.length === 0 || members.length > FILTERS_MAX)
      return this.#check.report.add(path, 'invalid_group', `must be a list of 1 to ${FILTERS_MAX} filters`)
    for (const [index, member] of members.entries()) this.node(member, `${path}[${index}]`, depth + 1)
  }
}

/** A filter tree over the attributes of an object. */
export function checkFilter(tree: unknown, path: string, check: FilterCheck): void {
  if (isObject(tree) && Object.keys(tree).length === 0)
    check.report.add(path, 'required', 'must have a filter in it: add one, or leave it out')
  else new FilterWalk(check).node(tree, path, 0)
}
