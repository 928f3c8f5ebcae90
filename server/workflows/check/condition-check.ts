// Checks conditions.
import { type FilterOperator, OPERATOR_SHAPES, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { instead } from '../../base/suggestions.ts'
import { shapeProblem } from '../../records/filters/check.ts'
import { parseFilters, type TreeNode } from '../../records/filters/parse.ts'
import { conditionGrammar } from '../interpreter/conditions.ts'
import { isTemplate } from './filter-check.ts'
import type { CheckReport } from './report.ts'

function checkComparison({ left, operator, right }: TreeNode, path: string, report: CheckReport) {
  if (left === undefined || left === '')
    report.add(`${path}.left`, 'required', 'is required: choose a value, such as {{trigger.data.amount}}')
  const known = SEARCH_OPERATORS.find((one) => one === operator)
  if (!known)
    return report.add(
      `${path}.operator`,
      'unknown_operator',
      `must be an operator: ${instead(operator, SEARCH_OPERATORS)}`,
    )
  if (OPERATOR_SHAPES[known].takes === 'nothing') return
  if (right === undefined)
    return report.add(`${path}.right`, 'required', 'is required: enter a value to compare with')
  const problem = rightProblem(known, right)
  if (problem) report.add(`${path}.right`, 'wrong_operand', problem)
}

/** Lists may be compared with lists, and a single value is accepted for a list. */
function rightProblem(operator: FilterOperator, right: unknown): string | undefined {
  if (operator === 'equals' || operator === 'notEquals' || isTemplate(right)) return undefined
  return operator === 'between' || Array.isArray(right) ? shapeProblem(operator, right) : undefined
}

/** @param path of the condition */
export function checkCondition(condition: unknown, path: string, report: CheckReport): void {
  parseFilters(condition, path, {
    ...conditionGrammar(),
    note: (at, code, message) => void report.add(at, code, message),
    leaf: (leaf, at) => void checkComparison(leaf, at, report),
  })
}
