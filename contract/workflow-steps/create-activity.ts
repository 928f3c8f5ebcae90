import { Type } from 'typebox'
import { ACTIVITY_TYPES } from '../activity-types.ts'
import { literals, StrictObject } from '../common.ts'
import { ACTIVITY_LINKS_MAX } from '../limits.ts'
import { field, ObjectRef, RecordId, type StepContract, type StepOutputs, Template } from './fields.ts'

const RecordLink = StrictObject({ objectId: ObjectRef, recordId: RecordId })

/** Outputs of an activity, as a step or as the trigger of a workflow. */
export const ACTIVITY_OUTPUTS = {
  id: 'id',
  type: 'text',
  title: 'text',
  summary: 'text',
  activityDate: 'date',
  completedAt: 'date',
  assignee: 'id',
  linkedRecords: 'list',
  participants: 'list',
  createdBy: 'any',
  createdAt: 'date',
  updatedAt: 'date',
  version: 'number',
} satisfies StepOutputs

export const createActivity: StepContract = {
  group: 'Records',
  description: 'A note, task, call or meeting',
  keywords: 'note task call meeting',
  key: 'activity',
  config: StrictObject({
    type: Type.Optional(Type.String({ enum: [...ACTIVITY_TYPES], default: 'note', title: 'Type' })),
    title: Type.String({ minLength: 1, maxLength: 10_000, ...field('template', 'Title') }),
    summary: Type.Optional(Type.String({ maxLength: 100_000, ...field('longTemplate', 'Details') })),
    activityDate: Type.Optional(
      Template('Date', 'A date or timestamp. Defaults to now; a task then has no due date'),
    ),
    assignee: Type.Optional(Template('Assignee', 'A member, by email or user ID. Only for tasks')),
    linkedRecords: Type.Optional(
      Type.Array(RecordLink, { maxItems: ACTIVITY_LINKS_MAX, title: 'Linked records' }),
    ),
    participants: Type.Optional(
      Type.Array(StrictObject({ type: literals(['user', 'person']), id: RecordId }), {
        maxItems: ACTIVITY_LINKS_MAX,
        title: 'Participants',
      }),
    ),
  }),
  defaults: { type: 'note', title: '' },
  outputs: ACTIVITY_OUTPUTS,
}
