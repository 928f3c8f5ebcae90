import { ORDERED_OPERATORS } from '../operators.ts'
import type { TypeContract } from './type-contract.ts'

export const number = {
  value: {
    type: 'number',
    description: 'Value of a number attribute: an exact decimal of up to 30 significant digits',
  },
  operators: ORDERED_OPERATORS,
  kind: 'number',
  canBeUnique: true,
  isSortable: true,
  isGroupable: false,
  isSummable: true,
  isFreeText: false,
} as const satisfies TypeContract
