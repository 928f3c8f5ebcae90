// The history of an activity: who changed what, when. A change can be undone for a day.
import { type Static, Type } from 'typebox'
import { Activity, exampleActivity } from './activities.ts'
import {
  DryRunQuery,
  EventVersion,
  listOf,
  literals,
  Nullable,
  StrictObject,
  Timestamp,
  Uuid,
} from './common.ts'
import { exampleId, examplePage, exampleTimes, exampleUser } from './example-values.ts'
import { HistoryEntry, HistoryQuery } from './history.ts'
import { UNDO_HOURS } from './limits.ts'
import type { ApiRoutes } from './route.ts'
import { CONFLICTS } from './undo.ts'

/** The fields of an activity that can be changed. */
export const ACTIVITY_FIELDS = [
  ...(['type', 'title', 'summary', 'activityDate', 'completedAt', 'assignee'] as const),
  ...(['linkedRecords', 'participants'] as const),
] as const
export type ActivityField = (typeof ACTIVITY_FIELDS)[number]

const Field = literals(ACTIVITY_FIELDS)
const Values = StrictObject({ from: Type.Unknown(), to: Type.Unknown() })

const { actor, apiKey, workflow, restores } = HistoryEntry.properties

export const ActivityHistoryEntry = StrictObject({
  id: Uuid,
  type: literals(['activity.created', 'activity.updated'], {
    description: 'activity.created with a version above 1: the activity was restored from the trash',
  }),
  version: EventVersion,
  at: Timestamp,
  ...{ actor, apiKey, workflow },
  changes: Nullable(Type.Record(Type.String(), Values), {
    description: 'Changes by field; null for a creation, and if the earlier state is no longer stored',
  }),
  restores,
})
export type ActivityHistoryEntry = Static<typeof ActivityHistoryEntry>

/** Newest first. */
export const ActivityHistory = listOf('entries', ActivityHistoryEntry)
export type ActivityHistory = Static<typeof ActivityHistory>

const CODES = ['value_changed', 'record_deleted'] as const
export type ActivityUndoCode = (typeof CODES)[number]

export const ActivityUndoConflict = StrictObject(
  {
    field: Field,
    code: literals(CODES, { description: CODES.map((code) => `${code}: ${CONFLICTS[code]}`).join('. ') }),
    from: Type.Unknown({ description: 'The value before the change to undo' }),
    to: Type.Unknown({ description: 'The value that the change set' }),
    current: Type.Unknown({ description: 'The current value, which is kept' }),
    otherRecordId: Nullable(Uuid, { description: 'The record that was deleted; otherwise null' }),
    message: Type.String(),
  },
  { description: 'A value of an activity that is not restored' },
)
export type ActivityUndoConflict = Static<typeof ActivityUndoConflict>

export const ActivityUndoBody = StrictObject({
  version: Type.Integer({
    minimum: 2,
    maximum: 2_147_483_647,
    description: 'The version of the activity that the change to undo produced',
  }),
  overwrite: Type.Optional(
    Type.Array(Field, {
      maxItems: ACTIVITY_FIELDS.length,
      description:
        'Fields whose earlier value is restored even if the value was changed later; defaults to none',
    }),
  ),
})
export type ActivityUndoBody = Static<typeof ActivityUndoBody>

export const UndoneActivityChange = StrictObject({
  activity: Activity,
  changes: Type.Record(Type.String(), Values, { description: 'The restored values by field' }),
  conflicts: Type.Array(ActivityUndoConflict),
})
export type UndoneActivityChange = Static<typeof UndoneActivityChange>

/** Schemas by their names in the API document. */
export const activityHistorySchemas = {
  ActivityHistoryEntry,
  ActivityHistory,
  ActivityUndoBody,
  ActivityUndoConflict,
  UndoneActivityChange,
}

const OFFER = 'Offer sent.'

export const activityHistoryRoutes = {
  listActivityHistory: {
    at: 'GET /activities/:activityId/history',
    scope: 'activities:read',
    summary: 'List the changes of an activity',
    description:
      'Lists who changed which fields, newest first by `version`. History is kept as long as events, for 30 days by default.',
    query: HistoryQuery,
    response: { 200: ActivityHistory },
    example: {
      response: {
        entries: [
          {
            id: exampleId(10),
            type: 'activity.updated',
            version: 2,
            at: exampleTimes.updatedAt,
            actor: exampleUser,
            apiKey: null,
            workflow: null,
            changes: { summary: { from: exampleActivity.summary, to: OFFER } },
            restores: null,
          },
        ],
        pagination: examplePage,
      },
    },
  },
  undoActivityChange: {
    at: 'POST /activities/:activityId/undo',
    scope: 'activities:write',
    readScope: 'activities:read',
    summary: 'Undo a change of an activity',
    description: `Restores the values from before the change that made the given version, for ${UNDO_HOURS} hours. Restoring is a new change with its own event, and can be undone too. Later changes are kept and listed in \`conflicts\`, unless \`overwrite\` includes the field.`,
    query: DryRunQuery,
    body: ActivityUndoBody,
    response: { 200: UndoneActivityChange },
    errors: ['undo_expired'],
    example: {
      body: { version: 2 },
      response: {
        activity: { ...exampleActivity, version: 4 },
        changes: { summary: { from: OFFER, to: exampleActivity.summary } },
        conflicts: [
          {
            field: 'title',
            code: 'value_changed',
            from: 'Call',
            to: exampleActivity.title,
            current: 'Second call',
            otherRecordId: null,
            message: 'title: the value was changed since.',
          },
        ],
      },
    },
  },
} satisfies ApiRoutes
