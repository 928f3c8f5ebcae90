import { EMPTY_OPERATORS, SET_OPERATORS } from '../operators.ts'
import { UUID_PATTERN } from '../uuid.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

const CONFIG = {
  type: 'object',
  required: ['allowed_object_id'],
  properties: {
    allowed_object_id: {
      type: 'string',
      pattern: UUID_PATTERN,
      description: 'UUID',
      examples: ['0198c0de-0000-7000-8000-000000000001'],
    },
  },
  additionalProperties: false,
  description: 'Config of a reference attribute: the object whose records the values refer to',
} as const

const BY_VALUE = {
  type: 'object',
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: true,
  description:
    '(+) Value of a reference attribute in a request: a unique attribute of the record and its value, instead of the id',
  examples: [{ domain: 'acme.com' }],
} as const

/** Reference values are also stored as rows of the table `links`. */
export const reference = {
  value: TEXT_VALUE,
  input: BY_VALUE,
  texts: 'the id of a record',
  config: { schema: CONFIG, example: '{"allowed_object_id":"<id or slug of an object>"}' },
  operators: ['equals', 'notEquals', ...SET_OPERATORS, ...EMPTY_OPERATORS],
  kind: 'id',
  canBeUnique: true,
  isSortable: false,
  isGroupable: true,
  isSummable: false,
  isFreeText: false,
} as const satisfies TypeContract
