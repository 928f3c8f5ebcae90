import { NOT_BLANK_AS_SENT } from '../not-blank.ts'
import { TEXT_OPERATORS } from '../operators.ts'
import { OPTION_COLORS } from '../option-colors.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

/** Options are not trimmed, because records may have older options with surrounding spaces. */
export const OPTION = { type: 'string', minLength: 1, maxLength: 200, pattern: NOT_BLANK_AS_SENT } as const

export const OPTIONS_MAX = 500
const ALIASES_MAX = 1000

const CONFIG = {
  type: 'object',
  required: ['options'],
  properties: {
    options: {
      type: 'array',
      items: OPTION,
      minItems: 1,
      maxItems: OPTIONS_MAX,
      uniqueItems: true,
      examples: [['Lead', 'Qualified', 'Won']],
    },
    colors: {
      type: 'object',
      additionalProperties: { type: 'string', enum: OPTION_COLORS },
      description: '(+) Colors of options. An option without an entry gets a color by its position',
      examples: [{ Won: 'green' }],
    },
    aliases: {
      type: 'object',
      additionalProperties: OPTION,
      maxProperties: ALIASES_MAX,
      description:
        '(+) Other names of options, such as earlier names of renamed or merged options. Values and filters accept them',
      examples: [{ Closed: 'Won' }],
    },
  },
  additionalProperties: false,
  description: 'Config of a select attribute',
} as const

export const select = {
  value: TEXT_VALUE,
  texts: 'one of the options',
  config: { schema: CONFIG, example: '{"options":["Lead","Won"]}' },
  operators: TEXT_OPERATORS,
  kind: 'text',
  canBeUnique: true,
  isSortable: true,
  isGroupable: true,
  isSummable: false,
  isFreeText: false,
} as const satisfies TypeContract
