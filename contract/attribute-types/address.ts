import { TEXT_OPERATORS } from '../operators.ts'
import type { TypeContract } from './type-contract.ts'

export const address = {
  value: {
    type: 'object',
    properties: {
      line1: { type: 'string' },
      line2: { type: 'string' },
      city: { type: 'string' },
      state: { type: 'string' },
      postalCode: { type: 'string' },
      country: {
        type: 'string',
        pattern: '^[A-Za-z]{2}$',
        description: 'ISO 3166-1 alpha-2',
        examples: ['GB'],
      },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Value of an address attribute; at least one part',
    examples: [{ line1: '12 St James’s Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' }],
  },
  parts: ['line1', 'line2', 'city', 'state', 'postalCode', 'country'],
  operators: TEXT_OPERATORS,
  kind: 'address',
  canBeUnique: false,
  isSortable: false,
  isGroupable: false,
  isSummable: false,
  isFreeText: true,
} as const satisfies TypeContract
