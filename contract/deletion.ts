// What deleting something would take with it, shown before it is done.
import { type Static, Type } from 'typebox'
import { Slug } from './attributes.ts'
import { Uuid } from './common.ts'
import { FilterTree } from './filters.ts'
import { RECORD_SET_MAX } from './limits.ts'
import type { DashboardRoutes } from './route.ts'

const Count = Type.Integer({ minimum: 0 })

const Referrer = Type.Object(
  { objectId: Uuid, objectSlug: Slug, attributeId: Uuid, attributeSlug: Slug },
  { additionalProperties: false },
)

export const ObjectDeletion = Type.Object(
  {
    records: Count,
    attributes: Type.Integer({ minimum: 0, description: 'Inactive ones too' }),
    views: Type.Integer({ minimum: 0, description: 'Everybody’s, personal ones too' }),
    activities: Type.Integer({ minimum: 0, description: 'That let go of records' }),
    referencedBy: Type.Array(Referrer, {
      description: 'Attributes of other objects: while there are any, the object cannot be deleted',
    }),
  },
  { additionalProperties: false },
)
export type ObjectDeletion = Static<typeof ObjectDeletion>

export const AttributeDeletion = Type.Object(
  {
    values: Type.Integer({ minimum: 0, description: 'Records that have a value' }),
    views: Type.Integer({ minimum: 0, description: 'That show, filter, sort or group by it' }),
  },
  { additionalProperties: false },
)
export type AttributeDeletion = Static<typeof AttributeDeletion>

export const RecordDeletionQuery = Type.Union(
  [
    Type.Object(
      { ids: Type.Array(Uuid, { minItems: 1, maxItems: RECORD_SET_MAX }) },
      { additionalProperties: false },
    ),
    Type.Object({ filter: FilterTree }, { additionalProperties: false }),
  ],
  { description: 'Records by their ids, or all that a filter finds' },
)
export type RecordDeletionQuery = Static<typeof RecordDeletionQuery>

export const RecordDeletion = Type.Object(
  {
    records: Type.Integer({ minimum: 0, description: 'Of those named, the ones that exist' }),
    references: Type.Integer({ minimum: 0, description: 'Values of other records that are cleared' }),
    activities: Type.Integer({ minimum: 0, description: 'That let go of records' }),
  },
  { additionalProperties: false },
)
export type RecordDeletion = Static<typeof RecordDeletion>

export const deletionRoutes = {
  foreseeObjectDeletion: {
    method: 'GET',
    path: '/objects/:objectId/deletion',
    scope: 'objects:write',
    response: { 200: ObjectDeletion },
  },
  foreseeAttributeDeletion: {
    method: 'GET',
    path: '/objects/:objectId/attributes/:attributeId/deletion',
    scope: 'attributes:write',
    response: { 200: AttributeDeletion },
  },
  foreseeRecordDeletion: {
    method: 'POST',
    path: '/objects/:objectId/records/deletion',
    scope: 'records:write',
    body: RecordDeletionQuery,
    response: { 200: RecordDeletion },
  },
} satisfies DashboardRoutes
