import { TEXT_OPERATORS } from '../operators.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

export const phoneNumber = {
  value: TEXT_VALUE,
  operators: TEXT_OPERATORS,
  kind: 'phone',
  canBeUnique: true,
  isSortable: true,
  isGroupable: false,
  isSummable: false,
  isFreeText: true,
} as const satisfies TypeContract
