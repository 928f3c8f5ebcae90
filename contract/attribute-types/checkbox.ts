import { EMPTY_OPERATORS, SET_OPERATORS } from '../operators.ts'
import type { TypeContract } from './type-contract.ts'

export const checkbox = {
  value: { type: 'boolean', description: 'Value of a checkbox attribute' },
  operators: ['isTrue', 'isFalse', 'equals', 'notEquals', ...SET_OPERATORS, ...EMPTY_OPERATORS],
  kind: 'flag',
  canBeUnique: false,
  isSortable: true,
  isGroupable: true,
  isSummable: false,
  isFreeText: false,
} as const satisfies TypeContract
