// Whether a condition can be asked.
import { SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { isObject } from '../interpreter/values.ts'
import { countProblem, UNARY } from './filter-check.ts'
import { type Report, shown } from './report.ts'

const DEPTH_MAX = 5
const MEMBERS_MAX = 50
const FIELDS = new Set(['left', 'operator', 'right'])

function checkLeaf(leaf: Readonly<Record<string, unknown>>, path: string, report: Report) {
  const unknown = Object.keys(leaf).find((key) => !FIELDS.has(key))
  if (unknown !== undefined) report.add(path, 'unknown_field', `${shown(unknown)} is not known here`)
  const { left, operator, right } = leaf
  if (left === undefined || left === '')
    report.add(`${path}.left`, 'required', 'is required: choose a value, such as {{trigger.data.amount}}')
  if (!SEARCH_OPERATORS.some((one) => one === operator))
    return report.add(`${path}.operator`, 'unknown_operator', `must be one of ${SEARCH_OPERATORS.join(', ')}`)
  if (UNARY.has(String(operator))) return
  if (right === undefined) return report.add(`${path}.right`, 'required', 'is required: what to compare with')
  const problem =
    operator === 'between' || Array.isArray(right) ? rightProblem(String(operator), right) : undefined
  if (problem) report.add(`${path}.right`, 'wrong_operand', problem)
}

/** Lists may be compared with lists. */
const rightProblem = (operator: string, right: unknown) =>
  operator === 'equals' || operator === 'notEquals' ? undefined : countProblem(operator, right)

/** @param path of the condition */
export function checkCondition(condition: unknown, path: string, report: Report, depth = 0) {
  if (!isObject(condition))
    return report.add(path, 'invalid_type', 'must be a condition, {"and": […]} or {"or": […]}')
  if (depth > DEPTH_MAX)
    return report.add(path, 'too_deep', `must be at most ${DEPTH_MAX} groups inside each other`)
  const [group, ...others] = Object.keys(condition)
  if (others.length > 0 || (group !== 'and' && group !== 'or')) return checkLeaf(condition, path, report)
  const members = condition[group]
  if (!Array.isArray(members) || members.length === 0 || members.length > MEMBERS_MAX)
    return report.add(`${path}.${group}`, 'invalid_group', `must be a list of 1 to ${MEMBERS_MAX} conditions`)
  for (const [index, member] of members.entries())
    checkCondition(member, `${path}.${group}[${index}]`, report, depth + 1)
}
