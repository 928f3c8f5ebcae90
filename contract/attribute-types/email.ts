import { TEXT_OPERATORS } from '../operators.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

export const email = {
  value: TEXT_VALUE,
  operators: TEXT_OPERATORS,
  kind: 'email',
  canBeUnique: true,
  naming: 'otherwise',
  identifies: 'always',
  isSortable: true,
  isGroupable: false,
  isSummable: false,
  isFreeText: true,
} as const satisfies TypeContract
