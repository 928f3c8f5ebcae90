// Erases all data about a record, and lists the log of erasures.
import { type Static, Type } from 'typebox'
import { listOf, literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleId, examplePage, exampleTimes } from './example-values.ts'
import { UserRef } from './members.ts'
import { pageParams } from './paging.ts'
import { exampleRecord } from './records.ts'
import type { ApiRoutes } from './route.ts'

const KINDS = {
  records: 'The record and the records that were merged into it, including records in the trash',
  references: 'References to the record in other records',
  activities: 'Activities that are linked only to the record',
  comments: 'Comments on the record',
  files: 'Files and pictures',
  events: 'Events, including the history. They are kept without values',
  merges: 'Merges that could still be undone',
  runs: 'Workflow runs with values of the record',
  deliveries: 'Webhook deliveries, including requests and responses',
  imports: 'Imports whose file, preview or check contained the record',
  importRows: 'Failed rows of imports',
  reportRuns: 'Runs of reports whose results contained the record',
  answers: 'Responses stored for an Idempotency-Key',
  messages: 'Workflow messages that are stored for the operator',
  notifications: 'Notifications that link to the record',
} as const
export type ErasureKind = keyof typeof KINDS
export const ERASURE_KINDS = Object.keys(KINDS) as ErasureKind[]

export const ErasureCounts = StrictObject(
  Object.fromEntries(
    Object.entries(KINDS).map(([kind, description]) => [kind, Type.Integer({ minimum: 0, description })]),
  ) as Record<ErasureKind, ReturnType<typeof Type.Integer>>,
)
export type ErasureCounts = Record<ErasureKind, number>

/** Kinds of data that are found by the id of the record and counted before the erasure. */
const FORESEEN = [
  'records',
  'references',
  'activities',
  'comments',
  'files',
  'events',
  'merges',
  'runs',
  'deliveries',
] as const satisfies readonly ErasureKind[]

export const ErasurePreview = StrictObject({
  recordId: Uuid,
  objectId: Uuid,
  mergedIds: Type.Array(Uuid, {
    description: 'Records that were merged into the record and are erased with it',
  }),
  isInTrash: Type.Boolean(),
  backupDays: Nullable(Type.Integer({ minimum: 1 }), {
    description:
      'Number of days for which backups by the service can still restore the data; null: the service makes no backups, and backups by the operator are unknown',
  }),
  counts: StrictObject(
    Object.fromEntries(
      FORESEEN.map((kind) => [kind, Type.Integer({ minimum: 0, description: KINDS[kind] })]),
    ) as Record<(typeof FORESEEN)[number], ReturnType<typeof Type.Integer>>,
    {
      description:
        'Data that is found by the id of the record. The erasure also searches files of imports, results of reports, stored responses and messages for values of the record',
    },
  ),
})
export type ErasurePreview = Static<typeof ErasurePreview>

const Mention = StrictObject({
  kind: literals(['record', 'activity', 'comment', 'history', 'view', 'report', 'workflow'], {
    description:
      'comment: a comment on the listed record. history: the listed record contained the value before a change, or contains it in a value that the search does not read. view, report, workflow: the name or the definition contains the value, such as in a filter. Personal views of other members are listed too',
  }),
  objectId: Nullable(Uuid, { description: 'null for an activity, a report or a workflow' }),
  id: Uuid,
  name: Type.String({ description: 'Name of the record, activity, view, report or workflow' }),
  found: Nullable(Type.String(), {
    description:
      'The value of the record that was found; null: one of its values was found in the history or in a definition',
  }),
})
export type Mention = Static<typeof Mention>

export const LISTED_MENTIONS_MAX = 100

export const MentionList = StrictObject({
  mentions: Type.Array(Mention, { maxItems: LISTED_MENTIONS_MAX }),
  isComplete: Type.Boolean({ description: 'false: there are more mentions, or the time limit was reached' }),
})
export type MentionList = Static<typeof MentionList>

const NewErasure = StrictObject({
  confirm: Type.Unsafe<string>({
    ...Uuid,
    description: 'The id of the record again, as confirmation: an erasure cannot be undone',
  }),
})

const STATES = ['running', 'completed', 'failed'] as const

export const PrivacyRequest = StrictObject(
  {
    id: Uuid,
    kind: literals(['archive', 'erasure']),
    reason: literals(['request', 'retention'], {
      description: 'retention: by the retention rule of the object',
    }),
    objectId: Uuid,
    recordIds: Type.Array(Uuid),
    state: literals(STATES),
    progress: StrictObject(
      { done: Type.Integer(), total: Type.Integer() },
      { description: 'Number of completed steps and of all steps' },
    ),
    waitsFor: Nullable(literals(['imports', 'deliveries']), {
      description: 'Reason for waiting: a running import, or a webhook request in flight; null: not waiting',
    }),
    problem: Nullable(Type.String({ description: 'Why the erasure failed' })),
    counts: ErasureCounts,
    createdBy: Nullable(UserRef, { description: 'null: the service itself, or a deleted user' }),
    createdAt: Timestamp,
    finishedAt: Nullable(Timestamp),
  },
  { description: 'A log entry of a downloaded archive or an erasure. It contains no values of the record' },
)
export type PrivacyRequest = Static<typeof PrivacyRequest>

export const PrivacyRequestList = listOf('requests', PrivacyRequest)
export type PrivacyRequestList = Static<typeof PrivacyRequestList>

export const PrivacyQuery = StrictObject(pageParams())
export type PrivacyQuery = Static<typeof PrivacyQuery>

/** Schemas by their names in the API document. */
export const privacySchemas = {
  NewErasure,
  ErasurePreview,
  ErasureCounts,
  MentionList,
  PrivacyRequest,
  PrivacyRequestList,
}

const exampleCounts: ErasureCounts = {
  records: 1,
  references: 2,
  activities: 3,
  comments: 2,
  files: 1,
  events: 9,
  merges: 0,
  runs: 1,
  deliveries: 9,
  imports: 1,
  importRows: 0,
  reportRuns: 1,
  answers: 1,
  messages: 0,
  notifications: 1,
}

const exampleErasure: PrivacyRequest = {
  id: exampleId(14),
  kind: 'erasure',
  reason: 'request',
  objectId: exampleRecord.objectId,
  recordIds: [exampleRecord.id],
  state: 'completed',
  progress: { done: 20, total: 20 },
  waitsFor: null,
  problem: null,
  counts: exampleCounts,
  createdBy: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
  createdAt: exampleTimes.createdAt,
  finishedAt: exampleTimes.updatedAt,
}

const { records, references, activities, comments, files, events, merges, runs, deliveries } = exampleCounts

export const privacyRoutes = {
  previewErasure: {
    at: 'GET /objects/:objectId/records/:recordId/erasure',
    scope: 'privacy:manage',
    summary: 'Count what an erasure would remove',
    description: 'For a record, or a record in the trash. Nothing is changed.',
    response: { 200: ErasurePreview },
    example: {
      response: {
        recordId: exampleRecord.id,
        objectId: exampleRecord.objectId,
        mergedIds: [],
        isInTrash: false,
        backupDays: 14,
        counts: { records, references, activities, comments, files, events, merges, runs, deliveries },
      },
    },
  },
  listMentions: {
    at: 'GET /objects/:objectId/records/:recordId/mentions',
    scope: 'privacy:manage',
    summary: 'Find mentions in other texts',
    description:
      'Other records and activities whose text contains an email address, phone number or name of the record. An erasure does not change them: review them manually.',
    response: { 200: MentionList },
    example: {
      response: {
        mentions: [
          {
            kind: 'activity',
            objectId: null,
            id: exampleId(4),
            name: 'Call about renewal',
            found: 'Ada Lovelace',
          },
        ],
        isComplete: true,
      },
    },
  },
  eraseRecord: {
    at: 'POST /objects/:objectId/records/:recordId/erasure',
    scope: 'privacy:manage',
    summary: 'Erase everything about a record',
    description:
      'Permanently erases, in the background, the record and the records merged into it, history, files, activities linked only to it, workflow runs, webhook deliveries, imports, results of reports and stored responses. Its events stay with `erased: true` and without values. Backups keep the data until their retention ends.',
    body: NewErasure,
    response: { 201: PrivacyRequest },
    example: {
      body: { confirm: exampleRecord.id },
      response: { ...exampleErasure, state: 'running', finishedAt: null },
    },
  },
  listPrivacyRequests: {
    at: 'GET /privacy/requests',
    scope: 'privacy:manage',
    summary: 'List erasures',
    description: 'Newest first, including who requested each erasure and how much was removed.',
    query: PrivacyQuery,
    response: { 200: PrivacyRequestList },
    example: { response: { requests: [exampleErasure], pagination: examplePage } },
  },
  getPrivacyRequest: {
    at: 'GET /privacy/requests/:requestId',
    scope: 'privacy:manage',
    summary: 'Get an erasure',
    response: { 200: PrivacyRequest },
    example: { response: exampleErasure },
  },
  archiveRecord: {
    at: 'POST /objects/:objectId/records/:recordId/archive',
    scope: 'privacy:manage',
    media: { response: ['application/zip'] },
    summary: 'Download everything about a record',
    description:
      'A ZIP file with the record, its history, everything that refers to it and its files, as JSON and with an index for browsers; also for a record in the trash. Each download is listed with the erasures. An `Idempotency-Key` has no effect.',
    response: { 200: Type.String({ description: 'The bytes of the ZIP file' }) },
    errors: ['payload_too_large', 'unsupported_media_type'],
    example: { response: 'PK…' },
  },
} satisfies ApiRoutes
