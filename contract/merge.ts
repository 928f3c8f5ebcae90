// Merges several records of an object into one of them.
import { type Static, Type } from 'typebox'
import { DryRunQuery, Nullable, Pagination, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleId, exampleTimes, exampleWhole } from './example-values.ts'
import { LOSERS_MAX } from './limits.ts'
import { ActingUser } from './members.ts'
import { WholeListQuery } from './paging.ts'
import { CrmRecord, exampleRecord, RecordData } from './records.ts'
import type { ApiRoutes } from './route.ts'
import { lossFields } from './trash.ts'

export const MergeBody = StrictObject(
  {
    winnerId: Type.String({ ...Uuid, description: 'The record that is kept' }),
    loserIds: Type.Array(Uuid, {
      minItems: 1,
      maxItems: LOSERS_MAX,
      description: 'The records that are merged into the winner',
    }),
    data: Type.Optional(RecordData),
    sources: Type.Optional(
      Type.Record(Type.String(), Uuid, {
        description: 'By attribute slug, the record whose value the winner gets, even if it is empty',
      }),
    ),
    united: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 500,
        description: 'Slugs of attributes with multiple values: the winner gets the values of all records',
      }),
    ),
  },
  {
    description:
      'By default the winner keeps its values, and each missing value is copied from the first loser that has a value',
  },
)
export type MergeBody = Static<typeof MergeBody>

const MovedToWinner = StrictObject(
  {
    records: Type.Integer({ description: 'Records that referred to a loser' }),
    activities: Type.Integer({ description: 'Activities that were linked to a loser' }),
    files: Type.Integer({ description: 'Files of the losers' }),
  },
  { description: 'Counts of what the losers had' },
)
export type MovedToWinner = Static<typeof MovedToWinner>

export const MergedRecord = StrictObject({
  record: CrmRecord,
  mergeId: Type.String({ ...Uuid, description: 'Id of the merge, with which it can be undone' }),
  mergedIds: Type.Array(Uuid),
  moved: MovedToWinner,
})
export type MergedRecord = Static<typeof MergedRecord>

export const UnmergedRecord = StrictObject({
  record: Type.Object(CrmRecord.properties, { additionalProperties: false, description: 'The winner' }),
  restoredIds: Type.Array(Uuid, { description: 'Ids of the losers that were restored' }),
  ...lossFields,
})
export type UnmergedRecord = Static<typeof UnmergedRecord>

export const MergeList = StrictObject({
  merges: Type.Array(
    StrictObject(
      {
        id: Uuid,
        winnerId: Uuid,
        mergedIds: Type.Array(Uuid),
        mergedAt: Timestamp,
        mergedBy: Nullable(ActingUser, { description: 'null: the user was deleted' }),
        undoUntil: Type.String({ ...Timestamp, description: 'When the merge can no longer be undone' }),
      },
      { description: 'A merge that can be undone' },
    ),
  ),
  pagination: Pagination,
})
export type MergeList = Static<typeof MergeList>

/** Schemas by their names in the API document. */
export const mergeSchemas = { MergeBody, MergedRecord, MergeList, UnmergedRecord }

export const mergeRoutes = {
  mergeRecords: {
    at: 'POST /objects/:objectId/records/merge',
    scope: 'records:write',
    summary: 'Merge 2 to 20 records',
    description:
      'References, activities, files and the picture of the losers move to the winner, in one transaction. The losers go to the trash, and a GET of their ids responds with the winner from then on. A unique reference moves only once: if several records would refer to the winner, only one keeps the reference.',
    query: DryRunQuery,
    body: MergeBody,
    response: { 200: MergedRecord },
    errors: ['object_inactive', 'unique_violation'],
    example: {
      body: {
        winnerId: exampleRecord.id,
        loserIds: [exampleId(8)],
        data: { phone: '+1 555 867 5309' },
        sources: { email: exampleId(8) },
      },
      response: {
        record: { ...exampleRecord, version: 2 },
        mergeId: exampleId(13),
        mergedIds: [exampleId(8)],
        moved: { records: 3, activities: 2, files: 1 },
      },
    },
  },
  listMerges: {
    at: 'GET /objects/:objectId/records/:recordId/merges',
    scope: 'records:read',
    summary: 'List the merges into a record',
    description:
      'Merges that can be undone, newest first. A merge can be undone for the organization’s `trashDays`, 30 by default. The newest merge must be undone first.',
    query: WholeListQuery,
    response: { 200: MergeList },
    example: {
      response: {
        merges: [
          {
            id: exampleId(13),
            winnerId: exampleRecord.id,
            mergedIds: [exampleId(8)],
            mergedAt: exampleTimes.updatedAt,
            mergedBy: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
            undoUntil: '2026-12-20T10:00:00.000Z',
          },
        ],
        pagination: exampleWhole,
      },
    },
  },
  undoMerge: {
    at: 'POST /objects/:objectId/merges/:mergeId/undo',
    scope: 'records:write',
    summary: 'Undo a merge',
    description:
      'Restores the merged records with their ids, values, references, activities, files and picture, and the earlier values of the winner. Changes since the merge are kept, and listed in `losses`.',
    query: DryRunQuery,
    response: { 200: UnmergedRecord },
    errors: ['object_inactive', 'merged_since'],
    example: {
      response: {
        record: { ...exampleRecord, version: 4 },
        restoredIds: [exampleId(8)],
        losses: [],
        lossCount: 0,
      },
    },
  },
} satisfies ApiRoutes
