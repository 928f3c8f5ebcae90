import { TEXT_OPERATORS } from '../operators.ts'
import type { TypeContract } from './type-contract.ts'

export const name = {
  value: {
    type: 'object',
    properties: { firstName: { type: 'string' }, lastName: { type: 'string' } },
    additionalProperties: false,
    minProperties: 1,
    description: 'Value of a name attribute; at least one part is required',
    examples: [{ firstName: 'Ada', lastName: 'Lovelace' }],
  },
  parts: ['firstName', 'lastName'],
  operators: TEXT_OPERATORS,
  kind: 'name',
  canBeUnique: true,
  isCased: true,
  naming: 'preferred',
  isSortable: true,
  isGroupable: false,
  isSummable: false,
  isFreeText: true,
} as const satisfies TypeContract
