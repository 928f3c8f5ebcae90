import { EMPTY_OPERATORS, SET_OPERATORS } from '../operators.ts'
import { UUID_PATTERN } from '../uuid.ts'
import { TEXT_VALUE, type TypeContract } from './type-contract.ts'

/** What `target` is of references to members of the organization. */
export const MEMBERS = 'members'

const toRecords = {
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
  description: 'Config of a reference attribute: the object its values belong to',
} as const

const toMembers = {
  type: 'object',
  required: ['target'],
  properties: { target: { const: MEMBERS, type: 'string', examples: [MEMBERS] } },
  additionalProperties: false,
  description: 'Config of a reference attribute whose values are user ids of members of the organization',
} as const

export const reference = {
  value: TEXT_VALUE,
  texts: 'the id of a record, or the user id of a member',
  config: {
    schemas: { allowed_object_id: toRecords, target: toMembers },
    example: '{"allowed_object_id":"<id of an object>"} or {"target":"members"}',
  },
  operators: ['equals', 'notEquals', ...SET_OPERATORS, ...EMPTY_OPERATORS],
  kind: 'id',
  canBeUnique: true,
  isSortable: false,
  isGroupable: true,
  isSummable: false,
  isFreeText: false,
} as const satisfies TypeContract

interface Configured {
  type: string
  config?: object | null | undefined
}

/** Whether the values are user ids of members of the organization. */
export const refersToMembers = ({ type, config }: Configured): boolean =>
  type === 'reference' && !!config && 'target' in config

/** Whether the values are ids of records: such values are kept as rows of `links` too. */
export const refersToRecords = ({ type, config }: Configured): boolean =>
  type === 'reference' && !refersToMembers({ type, config })
