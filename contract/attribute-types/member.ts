import { EMPTY_OPERATORS, SET_OPERATORS } from '../operators.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

/** Beyond the specification: a member of the organization, by the id of the user. */
export const member = {
  value: TEXT_VALUE,
  texts: 'the user id of a member',
  operators: ['equals', 'notEquals', ...SET_OPERATORS, ...EMPTY_OPERATORS],
  kind: 'id',
  canBeUnique: true,
  isSortable: false,
  isGroupable: true,
  isSummable: false,
  isFreeText: false,
} as const satisfies TypeContract
