// The specification's section "Activity": notes, calls, meetings and other interactions.
import { type Static, Type } from 'typebox'
import { ACTIVITY_TYPES } from './activity-types.ts'
import {
  Clearable,
  Deleted,
  listOf,
  literals,
  Nullable,
  StrictObject,
  TIMESTAMP_PATTERN,
  Timestamp,
  Uuid,
  Version,
} from './common.ts'
import { exampleDeleted, exampleId, examplePage, exampleTimes, exampleUser } from './example-values.ts'
import { ACTIVITY_LINKS_MAX, SEARCH_TEXT_MAX } from './limits.ts'
import { NOT_BLANK } from './not-blank.ts'
import { consistencyParam, pageParams } from './paging.ts'
import type { ApiRoutes } from './route.ts'

export const RecordRef = StrictObject({ objectId: Uuid, recordId: Uuid })
export type RecordRef = Static<typeof RecordRef>

/** A record in a request: its object by id or slug. */
const RecordRefInput = StrictObject({
  objectId: Type.String({
    maxLength: 100,
    description: 'The object’s id, or its slug',
    examples: ['people'],
  }),
  recordId: Uuid,
})

export const Participant = StrictObject({
  type: literals(['user', 'person'], {
    description: 'user: id is a user id; person: id is a record of people',
  }),
  id: Uuid,
})
export type Participant = Static<typeof Participant>

export const ActivityTypeSchema = literals(ACTIVITY_TYPES, { description: '(+) Type of the activity' })

const CompletedAt = Nullable(Timestamp, {
  description: '(+) When the task was completed; null for open tasks and other types',
})

const Assignee = Nullable(Uuid, {
  description:
    '(+) User id of the member to whom the task is assigned; null if the task is unassigned, and for other types',
})

/** A member in a request: user id or email. */
const MemberName = Type.String({ minLength: 1, maxLength: 320, examples: ['ada@example.com'] })

const AssigneeInput = Nullable(MemberName, {
  description:
    'User id or email of the member to whom the task is assigned, in the dashboard also me; null: unassigned',
})

const Title = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: 500 })
const Summary = Type.String({ maxLength: 100_000 })
const LinkedRecords = Type.Array(RecordRef, { maxItems: ACTIVITY_LINKS_MAX })
const LinkedRecordsInput = Type.Array(RecordRefInput, { maxItems: ACTIVITY_LINKS_MAX })
const Participants = Type.Array(Participant, { maxItems: ACTIVITY_LINKS_MAX })

export const Activity = StrictObject(
  {
    id: Uuid,
    type: ActivityTypeSchema,
    title: Title,
    summary: Summary,
    activityDate: Timestamp,
    completedAt: CompletedAt,
    assignee: Assignee,
    linkedRecords: LinkedRecords,
    participants: Participants,
    createdBy: StrictObject({ id: Uuid, name: Type.String(), email: Type.String() }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Version,
  },
  { description: 'A note, call, meeting, email or task, linked to records' },
)
export type Activity = Static<typeof Activity>

export const ActivityList = listOf('activities', Activity)

export const NewActivity = StrictObject({
  title: Title,
  type: Type.Optional(ActivityTypeSchema),
  summary: Type.Optional(Clearable(Summary)),
  activityDate: Type.Optional(
    Clearable(
      Timestamp,
      'Omitted or null: the time of creation. A task that is created without it has no due date',
    ),
  ),
  completedAt: Type.Optional(CompletedAt),
  assignee: Type.Optional(AssigneeInput),
  linkedRecords: Type.Optional(Clearable(LinkedRecordsInput)),
  participants: Type.Optional(Clearable(Participants)),
})
export type NewActivity = Static<typeof NewActivity>

export const ActivityPatch = Type.Partial(NewActivity, { additionalProperties: false })
export type ActivityPatch = Static<typeof ActivityPatch>

const timestampParam = (description: string) =>
  Type.Optional(Type.String({ pattern: TIMESTAMP_PATTERN, description, examples: ['2026-11-20T00:00:00Z'] }))

const searchText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: SEARCH_TEXT_MAX, pattern: NOT_BLANK, description }))

export const ActivityQuery = StrictObject({
  ...pageParams(),
  consistency: consistencyParam,
  recordId: Type.Optional(Type.String({ ...Uuid, description: 'Only activities linked to this record' })),
  objectId: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Id or slug of an object: only activities linked to any of its records',
    }),
  ),
  type: Type.Optional(ActivityTypeSchema),
  createdBy: Type.Optional(
    Type.String({
      ...MemberName,
      description: 'Only activities created by this user: user id or email, in the dashboard also me',
    }),
  ),
  assignee: Type.Optional(
    Type.String({
      ...MemberName,
      description: 'Only tasks assigned to this member: user id or email, in the dashboard also me',
    }),
  ),
  from: timestampParam('Activities with this activityDate or a later one'),
  to: timestampParam('Activities with an earlier activityDate'),
  q: searchText(
    'Free-text search in title and summary: every word must occur, in any order. Case, accents and punctuation are ignored',
  ),
  search: searchText('Deprecated: use `q`'),
  isOpen: Type.Optional(Type.Boolean({ description: 'true: open tasks; false: completed tasks' })),
  isOverdue: Type.Optional(
    Type.Boolean({
      description:
        'true: open tasks whose due date has passed; false: all other activities. A task created without an activityDate has no due date',
    }),
  ),
})

export type ActivityQuery = Static<typeof ActivityQuery>

/** Schemas by their names in the API document. */
export const activitySchemas = { Activity, ActivityList, NewActivity, ActivityPatch, RecordRef, Participant }

export const exampleActivity = {
  id: exampleId(6),
  type: 'call',
  title: 'First call',
  summary: 'Ada wants an offer by Friday.',
  activityDate: '2026-11-20T09:30:00.000Z',
  completedAt: null,
  assignee: null,
  linkedRecords: [{ objectId: exampleId(4), recordId: exampleId(3) }],
  participants: [
    { type: 'user', id: exampleId(7) },
    { type: 'person', id: exampleId(3) },
  ],
  createdBy: exampleUser,
  ...exampleTimes,
  version: 1,
}

export const activityRoutes = {
  listActivities: {
    at: 'GET /activities',
    scope: 'activities:read',
    summary: 'List activities',
    description:
      'Sorted by `activityDate`, newest first, then by id. All filters must match. `from` is inclusive and `to` is exclusive.',
    query: ActivityQuery,
    response: { 200: ActivityList },
    errors: ['query_too_expensive'],
    example: { response: { activities: [exampleActivity], pagination: examplePage } },
  },
  getActivity: {
    at: 'GET /activities/:activityId',
    scope: 'activities:read',
    summary: 'Get an activity',
    response: { 200: Activity },
    example: { response: exampleActivity },
  },
  createActivity: {
    at: 'POST /activities',
    scope: 'activities:write',
    readScope: 'activities:read',
    summary: 'Create an activity',
    description:
      '`type` defaults to note, and `activityDate` to the current time. Only a task can have `completedAt` and an `assignee`, who must be a member. Linked records and participants must exist in the organization.',
    body: NewActivity,
    response: { 201: Activity },
    example: {
      body: {
        type: exampleActivity.type,
        title: exampleActivity.title,
        summary: exampleActivity.summary,
        activityDate: exampleActivity.activityDate,
        linkedRecords: exampleActivity.linkedRecords,
        participants: exampleActivity.participants,
      },
      response: exampleActivity,
    },
  },
  updateActivity: {
    at: 'PATCH /activities/:activityId',
    scope: 'activities:write',
    readScope: 'activities:read',
    summary: 'Update an activity',
    description:
      'Only the fields that are sent change; arrays are replaced as a whole, and `null` clears a field. Changing the type of a task removes `completedAt` and `assignee`.',
    body: ActivityPatch,
    response: { 200: Activity },
    errors: ['precondition_failed'],
    example: { body: { summary: 'Offer sent.' }, response: exampleActivity },
  },
  deleteActivity: {
    at: 'DELETE /activities/:activityId',
    scope: 'activities:write',
    summary: 'Delete an activity',
    description:
      'The activity stays in the trash for 30 days by default, and can be restored during that time.',
    response: { 200: Deleted },
    errors: ['precondition_failed'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
