// Undoes all changes of a change set, an import, a workflow run or an API key, in the background.
import { type Static, Type } from 'typebox'
import { ChangeSet, ChangeSetList, ChangeSetListQuery, changeSetKind } from './change-sets.ts'
import { flag, listOf, literals, Nullable, oneOf, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleId, examplePage, exampleTimes } from './example-values.ts'
import { UNDO_HOURS, UNDO_JOB_DAYS } from './limits.ts'
import { ActingUser } from './members.ts'
import { pageParams } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import { LOSSES } from './trash.ts'
import { CONFLICTS } from './undo.ts'

export const NewUndoJob = StrictObject(
  {
    kind: changeSetKind,
    id: Type.String({
      ...Uuid,
      description:
        'Id of the change set, import, workflow run, API key or reassignment, which may be deleted',
    }),
    from: Type.Optional(
      Type.String({
        ...Timestamp,
        description: 'Only for an API key, and required for it: its changes from this time on',
      }),
    ),
    to: Type.Optional(
      Type.String({
        ...Timestamp,
        description: 'Only for an API key: its changes up to this time; defaults to now',
      }),
    ),
  },
  { description: 'What to undo, as listed by `GET /change-sets`' },
)
export type NewUndoJob = Static<typeof NewUndoJob>

export const RECORD_CONFLICTS = {
  record_changed: 'the record was changed since it was created, and stays',
  record_referred:
    'the import created the record because its rows refer to it, and other records refer to it too',
  record_gone: 'the record was deleted since',
  record_purged: 'the record was deleted permanently',
  record_merged: 'the record was merged, and this merge is not undone',
  merge_refused:
    'the merge was undone and cannot be made again, because its records or their values have changed; merge them again by hand',
  object_unavailable: 'the object is inactive or was deleted',
} as const

/** Conflicts of whole activities, by code. */
export const ACTIVITY_CONFLICTS = {
  activity_edited: 'the activity was changed since it was created, and stays',
  activity_gone: 'the activity was deleted since',
  activity_purged: 'the activity was deleted permanently',
  activity_unknown: 'the earlier state of the activity is no longer stored',
} as const

/** Conflicts of whole comments, by code. */
export const COMMENT_CONFLICTS = {
  comment_edited: 'the comment was changed since it was created, and stays',
  comment_gone: 'the comment or its record was deleted since',
  comment_purged: 'the comment was deleted permanently',
  comment_record_gone: 'the record of the comment was deleted since',
  comment_unknown: 'the earlier state of the comment is no longer stored',
} as const

/** Conflicts of whole attachments, by code. */
export const ATTACHMENT_CONFLICTS = {
  attachment_renamed: 'the file was renamed since it was attached, and stays',
  attachment_gone: 'the file was removed since',
  attachment_purged: 'the file was deleted permanently',
  attachment_owner_gone: 'the record or activity of the file was deleted since',
} as const

/** All conflicts by code. A code has the same meaning in all groups. */
export const UNDO_JOB_CONFLICTS = {
  ...LOSSES,
  ...CONFLICTS,
  ...RECORD_CONFLICTS,
  ...ACTIVITY_CONFLICTS,
  ...COMMENT_CONFLICTS,
  ...ATTACHMENT_CONFLICTS,
}
export type UndoJobConflictCode = keyof typeof UNDO_JOB_CONFLICTS

const HIDDEN =
  'null: no value, or unknown. Omitted without the scope records:read; for an activity without activities:read, for a comment without comments:read, for a file of an activity without attachments:read'

export const UndoJobConflict = StrictObject(
  {
    recordId: Type.String({
      ...Uuid,
      description: 'Id of the record; for an activity, a comment or an attachment, its id',
    }),
    objectId: Nullable(Uuid, {
      description:
        'null: the object was deleted, or the conflict concerns an activity, a comment or an attachment',
    }),
    activityId: Nullable(Uuid, { description: 'null: the conflict does not concern an activity' }),
    commentId: Nullable(Uuid, { description: 'null: the conflict does not concern a comment' }),
    attachmentId: Nullable(Uuid, { description: 'null: the conflict does not concern an attachment' }),
    version: Type.Integer({
      description:
        'Version that the change produced. With this version and `overwrite`, the value of an updated record can be restored. 0 for a comment or an attachment, which has no version',
    }),
    attributeSlug: Nullable(Type.String(), {
      description:
        'For an activity, the name of a field, such as linkedRecords; for a comment, text; for an attachment, name; null: the change of the whole record is not undone',
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
        description: `The current value of the record, which is kept; for a comment, its text, if its record exists; for an attachment, its name; ${HIDDEN}`,
      }),
    ),
    otherRecordId: Nullable(Uuid, {
      description: 'The record that has the unique value, was deleted, or referred to this record',
    }),
    message: Type.String(),
  },
  { description: 'A change that an undo job does not undo' },
)
export type UndoJobConflict = Static<typeof UndoJobConflict>

export const UndoJobConflictList = listOf('conflicts', UndoJobConflict)
export type UndoJobConflictList = Static<typeof UndoJobConflictList>

export const UNDO_JOB_STATUSES = ['queued', 'running', 'completed', 'cancelled', 'failed'] as const
export type UndoJobStatus = (typeof UNDO_JOB_STATUSES)[number]

export const UndoJob = StrictObject(
  {
    id: Uuid,
    kind: changeSetKind,
    sourceId: Type.String({
      ...Uuid,
      description: 'Id of the change set, import, workflow run, API key or reassignment',
    }),
    from: Nullable(Timestamp, { description: 'Only for an API key: its changes from this time on' }),
    to: Nullable(Timestamp, { description: 'Only for an API key: its changes up to this time' }),
    status: oneOf(
      UNDO_JOB_STATUSES,
      'cancelled and failed: changes that were already undone stay undone, and another job continues from there',
    ),
    created: Type.Integer({
      description: 'Number of creations of records, activities and comments, and of attached files, to undo',
    }),
    updated: Type.Integer({
      description: 'Number of updates of records, activities and comments, and of renamed files, to undo',
    }),
    deleted: Type.Integer({
      description: 'Number of deletions of records, activities and comments, and of removed files, to undo',
    }),
    otherChanges: Type.Integer({
      description:
        'Changes of activities, comments and files of activities that are not undone, because the key has no scope activities:write, comments:write or attachments:write, or because only the author of a comment, an owner or an admin can undo them',
    }),
    total: Type.Integer({ description: 'Number of changes to undo' }),
    done: Type.Integer({ description: 'Number of processed changes' }),
    restored: Type.Integer({ description: 'Updates whose earlier values were restored' }),
    trashed: Type.Integer({
      description:
        'Created records, activities and comments, and attached files, that were moved to the trash',
    }),
    returned: Type.Integer({
      description:
        'Deleted records, activities and comments, and removed files, that were restored from the trash',
    }),
    conflictCount: Type.Integer({
      description: 'Values, records, activities, comments and files that are not changed',
    }),
    error: Nullable(Type.String(), { description: 'Why the job failed' }),
    createdBy: Nullable(ActingUser, {
      description: 'The user who created the job, or the creator of the API key',
    }),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
  },
  { description: 'A job that undoes all changes by a change set, an import, a workflow run or an API key' },
)
export type UndoJob = Static<typeof UndoJob>

/** Maximum changes that a dry run tries. */
export const PREVIEWED_CHANGES_MAX = 500
export const PREVIEWED_CONFLICTS_MAX = 100

export const StartedUndoJob = StrictObject({
  ...UndoJob.properties,
  id: Nullable(Uuid, { description: 'null for a dry run' }),
  conflicts: Type.Array(UndoJobConflict, {
    maxItems: PREVIEWED_CONFLICTS_MAX,
    description: `For a dry run, the first ${PREVIEWED_CONFLICTS_MAX} conflicts; otherwise empty`,
  }),
})
export type StartedUndoJob = Static<typeof StartedUndoJob>

export const UndoJobList = listOf('undoJobs', UndoJob)

export const UndoJobListQuery = StrictObject(pageParams())
export type UndoJobListQuery = Static<typeof UndoJobListQuery>

/** Schemas by their names in the API document. */
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
  attachmentId: null,
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
    description: `Lists changes that can be undone together: the change sets, imports and workflow runs of the last ${UNDO_HOURS} hours, and the changes by each API key between pauses of half an hour. Most recently changed first.`,
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
            origin: null,
            actor: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
            apiKey: null,
            objectIds: [exampleId(4)],
            changed: null,
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
    summary: 'Undo a change set, an import, a workflow run, or changes by an API key',
    description: `Undoes, in the background and newest first, its changes of records and of their files in the last ${UNDO_HOURS} hours; with the scopes activities:write, comments:write and attachments:write also its changes of activities, comments and files of activities. Updated items get their earlier values, created items and attached files are moved to the trash, and deleted ones are restored from the trash. Renamed files get their earlier name. Later changes are kept, and are listed as conflicts. The changes by the job start no workflow. They are a change set with the id of the job, so that they can be undone too.`,
    query: StrictObject({
      dryRun: flag(
        `true: return the response that the request would have, and change nothing. Conflicts are checked for the last ${PREVIEWED_CHANGES_MAX} changes`,
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
    description: `Newest first. Undo jobs are kept for ${UNDO_JOB_DAYS} days.`,
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
      'After the response the job undoes nothing more; changes that were already undone stay undone. A job that has ended is not changed.',
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
      'Lists what the job does not undo: values, and whole records, activities, comments and attachments. To restore a value that was changed later, call `POST /objects/:objectId/records/:recordId/undo` with the `version` and `overwrite`.',
    query: UndoJobListQuery,
    response: { 200: UndoJobConflictList },
    example: { response: { conflicts: [exampleConflict], pagination: examplePage } },
  },
} satisfies ApiRoutes

/** The subject of a conflict without a slug. */
function subjectOf(code: UndoJobConflictCode): string {
  if (Object.hasOwn(ACTIVITY_CONFLICTS, code)) return 'activity'
  if (Object.hasOwn(ATTACHMENT_CONFLICTS, code)) return 'file'
  return Object.hasOwn(COMMENT_CONFLICTS, code) ? 'comment' : 'record'
}

/** @param slug null: the conflict is about a whole record, activity, comment or attachment */
export const undoJobMessage = (slug: string | null, code: UndoJobConflictCode): string =>
  `${slug ?? subjectOf(code)}: ${UNDO_JOB_CONFLICTS[code]}.`
