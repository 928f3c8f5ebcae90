// The specification's section "Activity": notes, calls, meetings and other interactions.
import { type Static, Type } from 'typebox'
import { ACTIVITY_TYPES, type ActivityType } from './activity-types.ts'
import { Pagination, Timestamp, Uuid, Version } from './common.ts'
import { ACTIVITY_LINKS_MAX } from './limits.ts'
import { NOT_BLANK } from './not-blank.ts'

export const RecordRef = Type.Object({ objectId: Uuid, recordId: Uuid }, { additionalProperties: false })
export type RecordRef = Static<typeof RecordRef>

/** A record as callers name it. */
const RecordRefInput = Type.Object(
  {
    objectId: Type.String({
      maxLength: 100,
      description: 'The object’s id, or its slug',
      examples: ['people'],
    }),
    recordId: Uuid,
  },
  { additionalProperties: false },
)

export const Participant = Type.Object(
  {
    type: Type.Union([Type.Literal('user'), Type.Literal('person')], {
      description: 'user: id is a user id; person: id is a record of people',
    }),
    id: Uuid,
  },
  { additionalProperties: false },
)
export type Participant = Static<typeof Participant>

export const ActivityTypeSchema = Type.Unsafe<ActivityType>(
  Type.Union(
    ACTIVITY_TYPES.map((type) => Type.Literal(type)),
    { description: 'What kind of activity it is' },
  ),
)

const CompletedAt = Type.Union([Timestamp, Type.Null()], {
  description: 'When a task was done; null while it is open, and for every other type',
})

const Title = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: 500 })
const Summary = Type.String({ maxLength: 100_000 })
const LinkedRecords = Type.Array(RecordRef, { maxItems: ACTIVITY_LINKS_MAX })
const LinkedRecordsInput = Type.Array(RecordRefInput, { maxItems: ACTIVITY_LINKS_MAX })
const Participants = Type.Array(Participant, { maxItems: ACTIVITY_LINKS_MAX })

export const Activity = Type.Object(
  {
    id: Uuid,
    type: ActivityTypeSchema,
    title: Title,
    summary: Summary,
    activityDate: Timestamp,
    completedAt: CompletedAt,
    linkedRecords: LinkedRecords,
    participants: Participants,
    createdBy: Type.Object(
      { id: Uuid, name: Type.String(), email: Type.String() },
      { additionalProperties: false },
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Version,
  },
  { additionalProperties: false, description: 'Something that happened with records' },
)
export type Activity = Static<typeof Activity>

export const ActivityList = Type.Object(
  { activities: Type.Array(Activity), pagination: Pagination },
  { additionalProperties: false },
)

export const NewActivity = Type.Object(
  {
    title: Title,
    type: Type.Optional(ActivityTypeSchema),
    summary: Type.Optional(Summary),
    activityDate: Type.Optional(
      Type.String({
        ...Timestamp,
        description: 'Defaults to the moment of creation; a task is then without a due date',
      }),
    ),
    completedAt: Type.Optional(CompletedAt),
    linkedRecords: Type.Optional(LinkedRecordsInput),
    participants: Type.Optional(Participants),
  },
  { additionalProperties: false },
)
export type NewActivity = Static<typeof NewActivity>

export const ActivityPatch = Type.Partial(NewActivity, { additionalProperties: false })
export type ActivityPatch = Static<typeof ActivityPatch>
