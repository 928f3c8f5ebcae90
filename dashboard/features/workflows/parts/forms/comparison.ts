// One comparison of a condition.
import type { FilterOperator } from '../../../../../contract/operators.ts'
import { arityOf } from '../../../../shared/filters/operands.ts'

export interface Comparison {
  left: unknown
  operator: FilterOperator
  right?: unknown
}

/** Another operator, with what it can keep of what is compared with. */
export function withComparison({ left, right }: Comparison, operator: FilterOperator): Comparison {
  const arity = arityOf(operator)
  const values = (Array.isArray(right) ? right : [right]).filter((one) => one !== undefined && one !== '')
  const [first = '', second = ''] = values
  if (arity === 'nothing') return { left, operator }
  if (arity === 'two') return { left, operator, right: [first, second] }
  return { left, operator, right: arity === 'many' ? values : first }
}
