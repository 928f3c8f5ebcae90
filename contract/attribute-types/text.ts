import { TEXT_OPERATORS } from '../operators.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

export const text = {
  value: TEXT_VALUE,
  operators: TEXT_OPERATORS,
  kind: 'text',
  canBeUnique: true,
  isCased: true,
  naming: 'preferred',
  identifies: 'ifUnique',
  isSortable: true,
  isGroupable: false,
  isSummable: false,
  isFreeText: true,
} as const satisfies TypeContract
