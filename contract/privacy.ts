// Erasing everything about a record, and the log of it.
import { type Static, Type } from 'typebox'
import { literals, Nullable, Pagination, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleId, examplePage, exampleTimes } from './example-values.ts'
import { UserRef } from './members.ts'
import { pageParams } from './paging.ts'
import { exampleRecord } from './records.ts'
import type { ApiRoutes, DashboardRoutes } from './route.ts'

const KINDS = {
  records: 'The record, and those that were merged into it, in the trash too',
  references: 'References to it, in other records',
  activities: 'Activities that are linked to no other record',
  comments: 'Comments on it',
  files: 'Files and pictures',
  events: 'Events, with the history: they stay without values',
  merges: 'Merges that could have been undone',
  runs: 'Workflow runs with values of it',
  deliveries: 'Webhook deliveries, with requests and responses',
  imports: 'Imports whose file, preview or check contained it',
  importRows: 'Failed rows of imports',
  reportRuns: 'Runs of reports whose results contained it',
  answers: 'Answers kept for an Idempotency-Key',
  messages: 'Messages of workflows that the operator keeps',
  notifications: 'Notifications that lead to it',
} as const
export type ErasureKind = keyof typeof KINDS
export const ERASURE_KINDS = Object.keys(KINDS) as ErasureKind[]

export const ErasureCounts = StrictObject(
  Object.fromEntries(
    Object.entries(KINDS).map(([kind, description]) => [kind, Type.Integer({ minimum: 0, description })]),
  ) as Record<ErasureKind, ReturnType<typeof Type.Integer>>,
)
export type ErasureCounts = Record<ErasureKind, number>

/** What is found by the id of the record, before it is erased. */
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
  mergedIds: Type.Array(Uuid, { description: 'Records that were merged into it: erased with it' }),
  isInTrash: Type.Boolean(),
  backupDays: Nullable(Type.Integer({ minimum: 1 }), {
    description:
      'For how many days the backups that the service makes can still restore the data; null: it makes none, and those of the operator are not known',
  }),
  counts: StrictObject(
    Object.fromEntries(
      FORESEEN.map((kind) => [kind, Type.Integer({ minimum: 0, description: KINDS[kind] })]),
    ) as Record<(typeof FORESEEN)[number], ReturnType<typeof Type.Integer>>,
    {
      description:
        'What is found by the id. Files of imports, results of reports, kept answers and messages are searched for its values when it is erased',
    },
  ),
})
export type ErasurePreview = Static<typeof ErasurePreview>

const Mention = StrictObject({
  kind: literals(['record', 'activity', 'comment', 'history'], {
    description:
      'comment: one on the record. history: the record had it before a change, or in a value that the search does not read',
  }),
  objectId: Nullable(Uuid, { description: 'null: an activity' }),
  id: Uuid,
  name: Type.String({ description: 'Of the record or activity' }),
  found: Nullable(Type.String(), {
    description: 'The value of the record that it contains; null: one of them, in its history',
  }),
})
export type Mention = Static<typeof Mention>

export const LISTED_MENTIONS_MAX = 100

export const MentionList = StrictObject({
  mentions: Type.Array(Mention, { maxItems: LISTED_MENTIONS_MAX }),
  isComplete: Type.Boolean({ description: 'false: there were more, or the time was over' }),
})
export type MentionList = Static<typeof MentionList>

const NewErasure = StrictObject({
  confirm: Type.Unsafe<string>({
    ...Uuid,
    description: 'The id of the record once more: it cannot be undone',
  }),
})

const STATES = ['running', 'completed', 'failed'] as const

export const PrivacyRequest = StrictObject(
  {
    id: Uuid,
    kind: literals(['archive', 'erasure']),
    reason: literals(['request', 'retention'], { description: 'retention: by the rule of the object' }),
    objectId: Uuid,
    recordIds: Type.Array(Uuid),
    state: literals(STATES),
    progress: StrictObject(
      { done: Type.Integer(), total: Type.Integer() },
      { description: 'Steps that have ended' },
    ),
    waitsFor: Nullable(literals(['imports', 'deliveries']), {
      description: 'An import that runs, or a webhook request in flight; null: nothing',
    }),
    problem: Nullable(Type.String({ description: 'Why it failed' })),
    counts: ErasureCounts,
    createdBy: Nullable(UserRef, { description: 'null: the service itself, or a deleted user' }),
    createdAt: Timestamp,
    finishedAt: Nullable(Timestamp),
  },
  { description: 'What was done with the data of a record. It contains no value of it' },
)
export type PrivacyRequest = Static<typeof PrivacyRequest>

export const PrivacyRequestList = StrictObject({
  requests: Type.Array(PrivacyRequest),
  pagination: Pagination,
})
export type PrivacyRequestList = Static<typeof PrivacyRequestList>

export const PrivacyQuery = StrictObject(pageParams())
export type PrivacyQuery = Static<typeof PrivacyQuery>

/** Their names in the API document. */
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
    description: 'Of a record, or of one in the trash. Nothing is changed.',
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
      'Other records and activities whose text contains an email address, phone number or name of the record. An erasure leaves them: a person decides.',
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
      'In the background, and for good: the record and what was merged into it, history, files, activities linked only to it, workflow runs, webhook deliveries, imports, results of reports and kept answers. Its events stay with `erased: true` and without values. Backups keep what they have until their retention ends.',
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
    description: 'The last one first, with who asked for it and how much was removed.',
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
} satisfies ApiRoutes

/** Answers a ZIP file. */
export const archiveRoutes = {
  archiveRecord: {
    at: 'POST /objects/:objectId/records/:recordId/archive',
    scope: 'privacy:manage',
  },
} satisfies DashboardRoutes
