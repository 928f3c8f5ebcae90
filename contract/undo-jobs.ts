// Undoing everything that a change set, an import, a workflow run or an API key did, in the background.
import { type Static, Type } from 'typebox'
import { literals, Nullable, oneOf, Pagination, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleId, examplePage, exampleTimes } from './example-values.ts'
import { UNDO_HOURS, UNDO_JOB_DAYS } from './limits.ts'
import { ActingUser } from './members.ts'
import { pageParams } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import { LOSSES } from './trash.ts'
import { CONFLICTS } from './undo.ts'

export const CHANGE_SET_KINDS = ['changeSet', 'import', 'workflowRun', 'apiKey'] as const
export type ChangeSetKind = (typeof CHANGE_SET_KINDS)[number]

const kind = oneOf(
  CHANGE_SET_KINDS,
  'changeSet: what requests with the same change set id did. import: a CSV import. workflowRun: a workflow run. apiKey: an API key in a span of time',
)

export const ChangeSet = StrictObject(
  {
    kind,
    id: Type.String({ ...Uuid, description: 'Of the change set, import, workflow run or API key' }),
    name: Nullable(Type.String(), {
      description: 'Of the file, workflow or API key; null: it has none, or was deleted',
    }),
    from: Type.String({ ...Timestamp, description: 'Of its first change in the period' }),
    to: Type.String({ ...Timestamp, description: 'Of its last change' }),
    changes: Type.Integer({ description: 'Changes of records, activities and comments that can be undone' }),
  },
  { description: 'Changes of records, activities and comments that are undone together' },
)
export type ChangeSet = Static<typeof ChangeSet>

export const ChangeSetList = StrictObject({
  changeSets: Type.Array(ChangeSet),
  pagination: Pagination,
  isComplete: Type.Boolean({
    description:
      'false: the organization has more changes than are looked through, and workflow runs and API keys are those of the newest only. Older ones can be undone too',
  }),
})

export const ChangeSetListQuery = StrictObject(pageParams())
export type ChangeSetListQuery = Static<typeof ChangeSetListQuery>

export const NewUndoJob = StrictObject(
  {
    kind,
    id: Type.String({
      ...Uuid,
      description: 'Of the change set, import, workflow run or API key, which may be deleted',
    }),
    from: Type.Optional(
      Type.String({
        ...Timestamp,
        description: 'Only of an API key, which needs it: its changes from this time on',
      }),
    ),
    to: Type.Optional(
      Type.String({
        ...Timestamp,
        description: 'Only of an API key: its changes up to this time; by default now',
      }),
    ),
  },
  { description: 'What is to be undone, as `GET /change-sets` lists it' },
)
export type NewUndoJob = Static<typeof NewUndoJob>

export const RECORD_CONFLICTS = {
  record_changed: 'the record was changed since it was created, and stays',
  record_referred: 'the import created the record because its rows name it, and other records refer to it',
  record_gone: 'the record was deleted since',
  record_purged: 'the record was deleted for good',
  record_merged: 'the record was merged; merges are undone separately',
  object_unavailable: 'the object is inactive or was deleted',
} as const

/** Of whole activities. */
export const ACTIVITY_CONFLICTS = {
  activity_edited: 'the activity was changed since it was created, and stays',
  activity_gone: 'the activity was deleted since',
  activity_purged: 'the activity was deleted for good',
  activity_unknown: 'what the activity was before is kept no longer',
} as const

/** Of whole comments. */
export const COMMENT_CONFLICTS = {
  comment_edited: 'the comment was changed since it was created, and stays',
  comment_gone: 'the comment or its record was deleted since',
  comment_purged: 'the comment was deleted for good',
  comment_record_gone: 'the record of the comment was deleted since',
  comment_unknown: 'what the comment was before is kept no longer',
} as const

/** By code: the same code means the same of a value and of a loss. */
export const UNDO_JOB_CONFLICTS = {
  ...LOSSES,
  ...CONFLICTS,
  ...RECORD_CONFLICTS,
  ...ACTIVITY_CONFLICTS,
  ...COMMENT_CONFLICTS,
}
export type UndoJobConflictCode = keyof typeof UNDO_JOB_CONFLICTS

const HIDDEN =
  'null: none, or no longer known. Left out without the scope records:read; of an activity without activities:read, of a comment without comments:read'

export const UndoJobConflict = StrictObject(
  {
    recordId: Type.String({ ...Uuid, description: 'Of an activity or a comment its id' }),
    objectId: Nullable(Uuid, {
      description: 'null: the object was deleted, or it is an activity or a comment',
    }),
    activityId: Nullable(Uuid, { description: 'null: it is a record or a comment' }),
    commentId: Nullable(Uuid, { description: 'null: it is a record or an activity' }),
    version: Type.Integer({
      description:
        'That the change made: with it, and `overwrite`, the value of an updated record can be restored. 0: of a comment, which has none',
    }),
    attributeSlug: Nullable(Type.String(), {
      description:
        'Of an activity the name of a field, such as linkedRecords; of a comment text; null: the change of the whole record is not undone',
    }),
    code: literals(Object.keys(UNDO_JOB_CONFLICTS) as UndoJobConflictCode[], {
      description: Object.entries(UNDO_JOB_CONFLICTS)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join('. '),
    }),
    from: Type.Optional(Type.Unknown({ description: `The value before the change; ${HIDDEN}` })),
    to: Type.Optional(Type.Unknown({ description: `The value that the change set; ${HIDDEN}` })),
    current: Type.Optional(
      Type.Unknown({
        description: `The value of the record, which stays; of a comment its text, while its record is there; ${HIDDEN}`,
      }),
    ),
    otherRecordId: Nullable(Uuid, {
      description: 'The record that has the unique value, was deleted, or referred to this one',
    }),
    message: Type.String(),
  },
  { description: 'What an undo job leaves as it is' },
)
export type UndoJobConflict = Static<typeof UndoJobConflict>

export const UndoJobConflictList = StrictObject({
  conflicts: Type.Array(UndoJobConflict),
  pagination: Pagination,
})
export type UndoJobConflictList = Static<typeof UndoJobConflictList>

export const UNDO_JOB_STATUSES = ['queued', 'running', 'completed', 'cancelled', 'failed'] as const
export type UndoJobStatus = (typeof UNDO_JOB_STATUSES)[number]

export const UndoJob = StrictObject(
  {
    id: Uuid,
    kind,
    sourceId: Type.String({ ...Uuid, description: 'Of the change set, import, workflow run or API key' }),
    from: Nullable(Timestamp, { description: 'Of an API key: its changes from this time on' }),
    to: Nullable(Timestamp, { description: 'Of an API key: its changes up to this time' }),
    status: oneOf(
      UNDO_JOB_STATUSES,
      'cancelled and failed: what was undone until then stays undone, and another job continues there',
    ),
    created: Type.Integer({
      description: 'Creations of records, activities and comments that are to be undone',
    }),
    updated: Type.Integer({
      description: 'Updates of records, activities and comments that are to be undone',
    }),
    deleted: Type.Integer({
      description: 'Deletions of records, activities and comments that are to be undone',
    }),
    otherChanges: Type.Integer({
      description:
        'Changes of activities and comments that are not undone, because the key has no scope activities:write or comments:write, or because only the author of a comment, an owner or an admin can undo them',
    }),
    total: Type.Integer({ description: 'Changes that are to be undone' }),
    done: Type.Integer({ description: 'How many of them are looked at' }),
    restored: Type.Integer({ description: 'Updates whose earlier values were restored' }),
    trashed: Type.Integer({ description: 'Created records, activities and comments that went to the trash' }),
    returned: Type.Integer({
      description: 'Deleted records, activities and comments that returned from the trash',
    }),
    conflictCount: Type.Integer({
      description: 'Values, records, activities and comments that stay as they are',
    }),
    error: Nullable(Type.String(), { description: 'Why it failed' }),
    createdBy: Nullable(ActingUser, {
      description: 'The user who asked for it, or the creator of the API key',
    }),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
  },
  { description: 'The undoing of everything that a change set, an import, a workflow run or an API key did' },
)
export type UndoJob = Static<typeof UndoJob>

/** Of a dry run at most as many changes are tried. */
export const PREVIEWED_CHANGES_MAX = 500
export const PREVIEWED_CONFLICTS_MAX = 100

export const StartedUndoJob = StrictObject({
  ...UndoJob.properties,
  id: Nullable(Uuid, { description: 'null: a dry run' }),
  conflicts: Type.Array(UndoJobConflict, {
    maxItems: PREVIEWED_CONFLICTS_MAX,
    description: `Of a dry run, the first ${PREVIEWED_CONFLICTS_MAX} conflicts; otherwise empty`,
  }),
})
export type StartedUndoJob = Static<typeof StartedUndoJob>

export const UndoJobList = StrictObject({ undoJobs: Type.Array(UndoJob), pagination: Pagination })

export const UndoJobListQuery = StrictObject(pageParams())
export type UndoJobListQuery = Static<typeof UndoJobListQuery>

/** Their names in the API document. */
export const undoJobSchemas = {
  ChangeSet,
  ChangeSetList,
  NewUndoJob,
  UndoJob,
  StartedUndoJob,
  UndoJobList,
  UndoJobConflict,
  UndoJobConflictList,
}

const exampleJob: UndoJob = {
  id: exampleId(30),
  kind: 'workflowRun',
  sourceId: exampleId(31),
  from: null,
  to: null,
  status: 'running',
  created: 100,
  updated: 1900,
  deleted: 0,
  otherChanges: 0,
  total: 2000,
  done: 500,
  restored: 480,
  trashed: 0,
  returned: 0,
  conflictCount: 1,
  error: null,
  createdBy: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
  createdAt: exampleTimes.createdAt,
  completedAt: null,
}

const exampleConflict: UndoJobConflict = {
  recordId: exampleId(3),
  objectId: exampleId(4),
  activityId: null,
  commentId: null,
  version: 2,
  attributeSlug: 'phone',
  code: 'value_changed',
  from: null,
  to: '+1 555 867 5309',
  current: '+1 555 867 5310',
  otherRecordId: null,
  message: 'phone: the value was changed since.',
}

export const undoJobRoutes = {
  listChangeSets: {
    at: 'GET /change-sets',
    scope: 'records:read',
    summary: 'List change sets',
    description: `What can be undone as one: the change sets, imports and workflow runs of the last ${UNDO_HOURS} hours, and what each API key did between pauses of half an hour; the last changed first.`,
    query: ChangeSetListQuery,
    response: { 200: ChangeSetList },
    example: {
      response: {
        changeSets: [
          {
            kind: 'workflowRun',
            id: exampleId(31),
            name: 'Welcome new people',
            from: exampleTimes.createdAt,
            to: exampleTimes.updatedAt,
            changes: 2000,
          },
        ],
        pagination: examplePage,
        isComplete: true,
      },
    },
  },
  createUndoJob: {
    at: 'POST /undo-jobs',
    scope: 'records:write',
    summary: 'Undo a change set, an import, a workflow run, or what an API key did',
    description: `Undoes its changes of records, and with the scopes activities:write and comments:write of activities and comments, of the last ${UNDO_HOURS} hours in the background, the last one first: updated ones get their earlier values, created ones go to the trash, and deleted ones return from it. What was changed since stays, and is listed as a conflict. The changes that this makes start no workflow; they are a change set whose id is that of the job, so that they can be undone too.`,
    query: StrictObject({
      dryRun: Type.Optional(
        Type.Boolean({
          default: false,
          description: `true: answer what would happen, and change nothing; of the last ${PREVIEWED_CHANGES_MAX} changes, whether they can be undone`,
        }),
      ),
    }),
    body: NewUndoJob,
    response: { 201: StartedUndoJob },
    errors: ['undo_expired', 'wrong_state'],
    example: {
      body: { kind: 'workflowRun', id: exampleId(31) },
      response: { ...exampleJob, status: 'queued', done: 0, restored: 0, conflictCount: 0, conflicts: [] },
    },
  },
  listUndoJobs: {
    at: 'GET /undo-jobs',
    scope: 'records:read',
    summary: 'List undo jobs',
    description: `The newest first; they are kept for ${UNDO_JOB_DAYS} days.`,
    query: UndoJobListQuery,
    response: { 200: UndoJobList },
    example: { response: { undoJobs: [exampleJob], pagination: examplePage } },
  },
  getUndoJob: {
    at: 'GET /undo-jobs/:undoJobId',
    scope: 'records:read',
    summary: 'Get an undo job',
    response: { 200: UndoJob },
    example: { response: exampleJob },
  },
  cancelUndoJob: {
    at: 'POST /undo-jobs/:undoJobId/cancel',
    scope: 'records:write',
    summary: 'Cancel an undo job',
    description:
      'After the response nothing more is undone; what was undone stays so. One that has ended stays as it is.',
    response: { 200: UndoJob },
    example: {
      response: { ...exampleJob, status: 'cancelled', completedAt: exampleTimes.updatedAt },
    },
  },
  listUndoJobConflicts: {
    at: 'GET /undo-jobs/:undoJobId/conflicts',
    scope: 'records:read',
    summary: 'List the conflicts of an undo job',
    description:
      'What it leaves as it is, value by value. A value that was changed since is restored by `POST /objects/:objectId/records/:recordId/undo` with the `version` and `overwrite`.',
    query: UndoJobListQuery,
    response: { 200: UndoJobConflictList },
    example: { response: { conflicts: [exampleConflict], pagination: examplePage } },
  },
} satisfies ApiRoutes

/** What a conflict without a slug is about. */
function subjectOf(code: UndoJobConflictCode): string {
  if (Object.hasOwn(ACTIVITY_CONFLICTS, code)) return 'activity'
  return Object.hasOwn(COMMENT_CONFLICTS, code) ? 'comment' : 'record'
}

/** @param slug null: of a whole record, activity or comment */
export const undoJobMessage = (slug: string | null, code: UndoJobConflictCode): string =>
  `${slug ?? subjectOf(code)}: ${UNDO_JOB_CONFLICTS[code]}.`
