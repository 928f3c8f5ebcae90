import { EMPTY_OPERATORS, SET_OPERATORS } from '../operators.ts'
import type { TypeContract } from './type-contract.ts'

export const list = {
  value: { type: 'string', description: 'One text of a list attribute' },
  operators: ['equals', 'notEquals', 'contains', 'notContains', ...SET_OPERATORS, ...EMPTY_OPERATORS],
  kind: 'list',
  canBeUnique: false,
  isSortable: false,
  isGroupable: false,
  isSummable: false,
  isFreeText: false,
} as const satisfies TypeContract
