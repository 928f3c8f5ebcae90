import { ORDERED_OPERATORS } from '../operators.ts'
import type { TypeContract } from './type-contract.ts'

export const currency = {
  value: {
    type: 'object',
    required: ['amount', 'currency'],
    properties: {
      amount: {
        anyOf: [
          { type: 'number' },
          { type: 'string', description: 'The amount as a decimal string, in requests only' },
        ],
        description: 'At most 4 decimals',
      },
      currency: { type: 'string', description: 'ISO 4217 code', examples: ['USD'] },
    },
    additionalProperties: false,
    description: 'Value of a currency attribute',
    examples: [{ amount: 1200.5, currency: 'USD' }],
  },
  parts: ['amount', 'currency'],
  operators: ORDERED_OPERATORS,
  kind: 'amount',
  canBeUnique: false,
  isSortable: true,
  isGroupable: false,
  isSummable: true,
  isFreeText: false,
} as const satisfies TypeContract
