import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { field, type StepContract } from './fields.ts'

export const nextMember: StepContract = {
  group: 'Records',
  description: 'The member whose turn it is, for an owner or an assignee',
  keywords: 'round robin assign rotate owner assignee distribute',
  key: 'member',
  config: StrictObject({
    members: Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
      minItems: 1,
      maxItems: 100,
      ...field('members', 'Members', 'They take turns in this order. Members who have left are skipped'),
    }),
  }),
  defaults: { members: [] },
  outputs: { id: 'id', name: 'text', email: 'email' },
}
