import { ORDERED_OPERATORS } from '../operators.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

export const date = {
  value: TEXT_VALUE,
  texts: '`2026-11-20`',
  operators: ORDERED_OPERATORS,
  kind: 'date',
  canBeUnique: true,
  isSortable: true,
  isGroupable: true,
  isSummable: false,
  isFreeText: false,
} as const satisfies TypeContract
