import { TEXT_OPERATORS } from '../operators.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

/** Beyond the specification: the domain of a company, stored exactly as entered. */
export const domain = {
  value: TEXT_VALUE,
  texts: '`acme.com`',
  operators: TEXT_OPERATORS,
  kind: 'text',
  canBeUnique: true,
  identifies: 'ifUnique',
  isSortable: true,
  isGroupable: false,
  isSummable: false,
  isFreeText: true,
} as const satisfies TypeContract
