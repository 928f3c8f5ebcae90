// One comparison of a condition.
import type { ConditionOperator } from '../../../../contract/workflow-steps.ts'
import { arityOf } from '../../filters/operator-words.ts'

export interface Comparison {
  left: unknown
  operator: ConditionOperator
  right?: unknown
}

/** Another operator, with what it can keep of what is compared with. */
export function withComparison({ left, right }: Comparison, operator: ConditionOperator): Comparison {
  const arity = arityOf(operator)
  const values = (Array.isArray(right) ? right : [right]).filter((one) => one !== undefined && one !== '')
  const [first = '', second = ''] = values
  if (arity === 'none') return { left, operator }
  if (arity === 'two') return { left, operator, right: [first, second] }
  return { left, operator, right: arity === 'many' ? values : first }
}
