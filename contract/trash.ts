// The trash of an object: deleted records that can be restored.
import { type Static, Type } from 'typebox'
import { Deleted, literals, Nullable, Pagination, StrictObject, Timestamp, Uuid, Version } from './common.ts'
import { exampleDeleted, exampleId, examplePage, exampleTimes } from './example-values.ts'
import { ActingUser } from './members.ts'
import { pageParams } from './paging.ts'
import { BulkDelete, BulkDeleted, CrmRecord, exampleRecord, RecordData } from './records.ts'
import type { ApiRoutes } from './route.ts'

/** Of everything in a trash. */
export const deletionFields = {
  deletedAt: Timestamp,
  deletedBy: Nullable(ActingUser, { description: 'null: a user who was deleted since' }),
  purgeAt: Type.String({ ...Timestamp, description: 'When it is deleted for good' }),
}

export const TrashedRecord = StrictObject(
  {
    id: Uuid,
    objectId: Uuid,
    data: RecordData,
    createdAt: Timestamp,
    version: Version,
    ...deletionFields,
  },
  { description: 'A deleted record, with the values it had' },
)

export const TrashList = StrictObject({ records: Type.Array(TrashedRecord), pagination: Pagination })
export type TrashList = Static<typeof TrashList>

export const TrashQuery = StrictObject(pageParams())
export type TrashQuery = Static<typeof TrashQuery>

/** Why a value does not return, by code. */
export const LOSSES = {
  attribute_deleted: 'the attribute was deleted',
  unknown_option: 'the option was deleted',
  unique_violation: 'another record has the unique value now',
  record_deleted: 'the record that it referred to was deleted',
  record_in_trash:
    'the record that it referred to is in the trash; the reference returns when that is restored',
  reference_changed: 'the record that referred to it refers to another one now',
  list_full: 'the list that contained it has no room',
  record_full: 'the record that referred to it would be too large with it',
  value_changed: 'the value was changed since the merge',
  value_refused: 'the value that it had before the merge is no longer valid',
  attribute_inactive: 'the attribute is inactive',
  activity_changed: 'the activity was changed since the merge',
  file_changed: 'the file or picture was changed since the merge',
  loser_deleted: 'the merged record was deleted for good',
} as const
export type LossCode = keyof typeof LOSSES

export const RestoreLoss = StrictObject(
  {
    recordId: Type.String({
      ...Uuid,
      description: 'The restored record; of a restored activity the record that it was linked to',
    }),
    code: literals(Object.keys(LOSSES) as LossCode[], {
      description: Object.entries(LOSSES)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join('. '),
    }),
    attributeSlug: Type.String({
      description:
        'Of the restored record; of the other one where that referred to it; linkedRecords or participants of an activity',
    }),
    otherRecordId: Nullable(Uuid, {
      description: 'The record that has the unique value, that it referred to, or that referred to it',
    }),
    activityId: Nullable(Uuid, { description: 'The activity that contained it, or is restored' }),
    message: Type.String(),
  },
  { description: 'A value that cannot be restored' },
)
export type RestoreLoss = Static<typeof RestoreLoss>

/** A record that a million others referred to could have as many. */
export const RESTORE_LOSSES_MAX = 1000

export const lossFields = {
  losses: Type.Array(RestoreLoss, {
    maxItems: RESTORE_LOSSES_MAX,
    description: `The first ${RESTORE_LOSSES_MAX}`,
  }),
  lossCount: Type.Integer({ description: 'How many there are' }),
}

export const RestoredRecord = StrictObject({ record: CrmRecord, ...lossFields })
export type RestoredRecord = Static<typeof RestoredRecord>

export const BulkRestored = StrictObject({ restored: Type.Integer(), ...lossFields })
export type BulkRestored = Static<typeof BulkRestored>

const RestoreQuery = StrictObject({
  dryRun: Type.Optional(
    Type.Boolean({ default: false, description: 'true: answer what would happen, and change nothing' }),
  ),
})

/** Their names in the API document. */
export const trashSchemas = { TrashedRecord, TrashList, RestoreLoss, RestoredRecord, BulkRestored }

const exampleLoss: RestoreLoss = {
  recordId: exampleRecord.id,
  code: 'unique_violation',
  attributeSlug: 'email',
  otherRecordId: exampleId(8),
  activityId: null,
  message: 'email: this value is taken by another record now.',
}

export const trashRoutes = {
  listTrash: {
    at: 'GET /objects/:objectId/trashed-records',
    formerAt: 'GET /objects/:objectId/trash',
    scope: 'records:read',
    summary: 'List deleted records',
    description:
      'Records of the object that were deleted and can be restored, the last deleted first. After 30 days, or as many as the organization has set, they are deleted for good.',
    query: TrashQuery,
    response: { 200: TrashList },
    example: {
      response: {
        records: [
          {
            id: exampleRecord.id,
            objectId: exampleRecord.objectId,
            data: exampleRecord.data,
            createdAt: exampleTimes.createdAt,
            version: 2,
            deletedAt: exampleTimes.updatedAt,
            deletedBy: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
            purgeAt: '2026-12-20T10:00:00.000Z',
          },
        ],
        pagination: examplePage,
      },
    },
  },
  restoreRecord: {
    at: 'POST /objects/:objectId/trashed-records/:recordId/restore',
    formerAt: 'POST /objects/:objectId/trash/:recordId/restore',
    scope: 'records:write',
    summary: 'Restore a deleted record',
    description:
      'The record returns with its id, values, references in both directions, activities, files and picture, and its next version: `record.created` is sent. `losses` lists what cannot return, such as a unique value that another record has now.',
    query: RestoreQuery,
    response: { 200: RestoredRecord },
    errors: ['object_inactive'],
    example: { response: { record: { ...exampleRecord, version: 3 }, losses: [exampleLoss], lossCount: 1 } },
  },
  bulkRestoreRecords: {
    at: 'POST /objects/:objectId/trashed-records/bulk/restore',
    formerAt: 'POST /objects/:objectId/trash/bulk/restore',
    scope: 'records:write',
    summary: 'Restore up to 100 deleted records',
    description: 'As Restore a deleted record. Ids that are not in the trash of the object are ignored.',
    query: RestoreQuery,
    body: BulkDelete,
    response: { 200: BulkRestored },
    errors: ['object_inactive'],
    example: {
      body: { ids: [exampleRecord.id, exampleId(8)] },
      response: { restored: 2, losses: [exampleLoss], lossCount: 1 },
    },
  },
  purgeRecord: {
    at: 'DELETE /objects/:objectId/trashed-records/:recordId',
    formerAt: 'DELETE /objects/:objectId/trash/:recordId',
    scope: 'records:write',
    summary: 'Delete a record from the trash',
    description: 'For good: it cannot be restored any more.',
    response: { 200: Deleted },
    errors: ['object_inactive'],
    example: { response: exampleDeleted },
  },
  bulkPurgeRecords: {
    at: 'DELETE /objects/:objectId/trashed-records/bulk',
    formerAt: 'DELETE /objects/:objectId/trash/bulk',
    scope: 'records:write',
    summary: 'Delete up to 100 records from the trash',
    description: 'For good. Ids that are not in the trash of the object are ignored.',
    body: BulkDelete,
    response: { 200: BulkDeleted },
    errors: ['object_inactive'],
    example: { body: { ids: [exampleRecord.id, exampleId(8)] }, response: { deleted: 2 } },
  },
} satisfies ApiRoutes
