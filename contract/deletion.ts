// What deleting something would take with it, shown before it is done.
import { type Static, Type } from 'typebox'
import { Slug } from './attributes.ts'
import { StrictObject, Uuid } from './common.ts'
import { FilterTree } from './filters.ts'
import { RECORD_SET_MAX } from './limits.ts'
import type { DashboardRoutes } from './route.ts'

const Count = Type.Integer({ minimum: 0 })

const Referrer = StrictObject({ objectId: Uuid, objectSlug: Slug, attributeId: Uuid, attributeSlug: Slug })

export const ObjectDeletion = StrictObject({
  records: Count,
  attributes: Type.Integer({ minimum: 0, description: 'Including inactive ones' }),
  views: Type.Integer({ minimum: 0, description: 'Of all users, including personal ones' }),
  activities: Type.Integer({ minimum: 0, description: 'Activities that lose a link' }),
  referencedBy: Type.Array(Referrer, {
    description:
      'Attributes of other objects that refer to it. The object cannot be deleted while there are any',
  }),
})
export type ObjectDeletion = Static<typeof ObjectDeletion>

export const AttributeDeletion = StrictObject({
  values: Type.Integer({ minimum: 0, description: 'Records that have a value' }),
  views: Type.Integer({ minimum: 0, description: 'Views that show, filter, sort or group by it' }),
})
export type AttributeDeletion = Static<typeof AttributeDeletion>

export const RecordDeletionQuery = Type.Union(
  [
    StrictObject({ ids: Type.Array(Uuid, { minItems: 1, maxItems: RECORD_SET_MAX }) }),
    StrictObject({ filter: FilterTree }),
  ],
  { description: 'Records by their ids, or all records that match a filter' },
)
export type RecordDeletionQuery = Static<typeof RecordDeletionQuery>

export const RecordDeletion = StrictObject({
  records: Type.Integer({ minimum: 0, description: 'The given records that exist' }),
  references: Type.Integer({ minimum: 0, description: 'Values of other records that are cleared' }),
  activities: Type.Integer({ minimum: 0, description: 'Activities that lose a link' }),
})
export type RecordDeletion = Static<typeof RecordDeletion>

export const deletionRoutes = {
  foreseeObjectDeletion: {
    at: 'GET /objects/:objectId/deletion',
    scope: 'objects:write',
    response: { 200: ObjectDeletion },
  },
  foreseeAttributeDeletion: {
    at: 'GET /objects/:objectId/attributes/:attributeId/deletion',
    scope: 'attributes:write',
    response: { 200: AttributeDeletion },
  },
  foreseeRecordDeletion: {
    at: 'POST /objects/:objectId/records/deletion',
    changesNothing: true,
    scope: 'records:write',
    body: RecordDeletionQuery,
    response: { 200: RecordDeletion },
  },
} satisfies DashboardRoutes
