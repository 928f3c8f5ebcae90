import { ORDERED_OPERATORS } from '../operators.ts'
import type { TypeContract } from './type-contract.ts'

const amountOf = (amount: object, description: string) => ({
  type: 'object',
  required: ['amount', 'currency'],
  properties: {
    amount: { ...amount, description: 'At most 4 decimals' },
    currency: { type: 'string', description: 'ISO 4217 code', examples: ['USD'] },
  },
  additionalProperties: false,
  description,
  examples: [{ amount: 1200.5, currency: 'USD' }],
})

const AMOUNT_INPUT = {
  anyOf: [{ type: 'number' }, { type: 'string', description: 'The amount as a decimal string' }],
}

export const currency = {
  value: amountOf({ type: 'number' }, 'Value of a currency attribute'),
  input: amountOf(AMOUNT_INPUT, 'Value of a currency attribute in a request'),
  parts: ['amount', 'currency'],
  operators: ORDERED_OPERATORS,
  kind: 'amount',
  canBeUnique: false,
  isSortable: true,
  isGroupable: false,
  isSummable: true,
  isFreeText: false,
} as const satisfies TypeContract
