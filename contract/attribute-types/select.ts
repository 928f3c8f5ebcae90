import { NOT_BLANK_AS_SENT } from '../not-blank.ts'
import { TEXT_OPERATORS } from '../operators.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

/** Not trimmed here: records may hold options of before that have spaces around them. */
const OPTION = { type: 'string', minLength: 1, maxLength: 200, pattern: NOT_BLANK_AS_SENT } as const

const CONFIG = {
  type: 'object',
  required: ['options'],
  properties: {
    options: {
      type: 'array',
      items: OPTION,
      minItems: 1,
      maxItems: 500,
      uniqueItems: true,
      examples: [['Lead', 'Qualified', 'Won']],
    },
  },
  additionalProperties: false,
  description: 'Config of a select attribute',
} as const

export const select = {
  value: TEXT_VALUE,
  texts: 'one of the options',
  config: {
    schemas: { options: CONFIG },
    example: '{"options":["Lead","Won"]}',
  },
  operators: TEXT_OPERATORS,
  kind: 'text',
  canBeUnique: true,
  isSortable: true,
  isGroupable: true,
  isSummable: false,
  isFreeText: false,
} as const satisfies TypeContract
