import { TEXT_OPERATORS } from '../operators.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

export const url = {
  value: TEXT_VALUE,
  texts: '`https://example.com/pricing`',
  operators: TEXT_OPERATORS,
  kind: 'text',
  canBeUnique: true,
  isCased: true,
  identifies: 'ifUnique',
  isSortable: true,
  isGroupable: false,
  isSummable: false,
  isFreeText: true,
} as const satisfies TypeContract
