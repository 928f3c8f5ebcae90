// The trash of an object: deleted records that can be restored.
import { type Static, Type } from 'typebox'
import {
  Deleted,
  DryRunQuery,
  listOf,
  literals,
  Nullable,
  StrictObject,
  Timestamp,
  Uuid,
  Version,
} from './common.ts'
import { exampleDeleted, exampleDeletion, exampleId, examplePage, exampleTimes } from './example-values.ts'
import { ActingUser } from './members.ts'
import { pageParams } from './paging.ts'
import { BulkDelete, BulkDeleted, CrmRecord, exampleRecord, RecordData } from './records.ts'
import type { ApiRoutes } from './route.ts'

export const deletionFields = {
  deletedAt: Timestamp,
  deletedBy: Nullable(ActingUser, { description: 'null: the user was deleted' }),
  purgeAt: Type.String({ ...Timestamp, description: 'When the item is deleted permanently' }),
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
  { description: 'A deleted record, with its values before the deletion' },
)

export const TrashList = listOf('records', TrashedRecord)
export type TrashList = Static<typeof TrashList>

export const TrashQuery = StrictObject(pageParams())
export type TrashQuery = Static<typeof TrashQuery>

/** Why a value cannot be restored, by code. */
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
  loser_deleted: 'the merged record was deleted permanently',
} as const
export type LossCode = keyof typeof LOSSES

export const RestoreLoss = StrictObject(
  {
    recordId: Type.String({
      ...Uuid,
      description: 'Id of the restored record; for a restored activity, the record to which it was linked',
    }),
    code: literals(Object.keys(LOSSES) as LossCode[], {
      description: Object.entries(LOSSES)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join('. '),
    }),
    attributeSlug: Type.String({
      description:
        'Attribute of the restored record, or of the other record if that record referred to the restored record; for an activity, linkedRecords or participants',
    }),
    otherRecordId: Nullable(Uuid, {
      description:
        'The record that has the unique value, that the restored record referred to, or that referred to the restored record',
    }),
    activityId: Nullable(Uuid, { description: 'The activity that contained the value, or that is restored' }),
    message: Type.String(),
  },
  { description: 'A value that cannot be restored' },
)
export type RestoreLoss = Static<typeof RestoreLoss>

/** The number is limited, because a record with a million references could have a million losses. */
export const RESTORE_LOSSES_MAX = 1000

export const lossFields = {
  losses: Type.Array(RestoreLoss, {
    maxItems: RESTORE_LOSSES_MAX,
    description: `The first ${RESTORE_LOSSES_MAX}`,
  }),
  lossCount: Type.Integer({ description: 'Number of all losses' }),
}

export const RestoredRecord = StrictObject({ record: CrmRecord, ...lossFields })
export type RestoredRecord = Static<typeof RestoredRecord>

export const BulkRestored = StrictObject({ restored: Type.Integer(), ...lossFields })
export type BulkRestored = Static<typeof BulkRestored>

/** Schemas by their names in the API document. */
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
      'Deleted records of the object that can be restored, most recently deleted first. They are deleted permanently after the organization’s `trashDays`, 30 by default.',
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
            ...exampleDeletion,
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
      'Restores the record with its id, values, references in both directions, activities, files and picture, and increases its version. The event `record.created` is sent. `losses` lists what cannot be restored, such as a unique value that another record has now.',
    query: DryRunQuery,
    response: { 200: RestoredRecord },
    errors: ['object_inactive'],
    example: { response: { record: { ...exampleRecord, version: 3 }, losses: [exampleLoss], lossCount: 1 } },
  },
  bulkRestoreRecords: {
    at: 'POST /objects/:objectId/trashed-records/bulk/restore',
    formerAt: 'POST /objects/:objectId/trash/bulk/restore',
    scope: 'records:write',
    summary: 'Restore up to 100 deleted records',
    description:
      'Works like Restore a deleted record. Ids that are not in the trash of the object are ignored.',
    query: DryRunQuery,
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
    description: 'Deletes the record permanently. It cannot be restored.',
    response: { 200: Deleted },
    errors: ['object_inactive'],
    example: { response: exampleDeleted },
  },
  bulkPurgeRecords: {
    at: 'DELETE /objects/:objectId/trashed-records/bulk',
    formerAt: 'DELETE /objects/:objectId/trash/bulk',
    scope: 'records:write',
    summary: 'Delete up to 100 records from the trash',
    description: 'Deletes the records permanently. Ids that are not in the trash of the object are ignored.',
    body: BulkDelete,
    response: { 200: BulkDeleted },
    errors: ['object_inactive'],
    example: { body: { ids: [exampleRecord.id, exampleId(8)] }, response: { deleted: 2 } },
  },
} satisfies ApiRoutes
