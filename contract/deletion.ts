// Previews of deletions: what else is deleted.
import { type Static, Type } from 'typebox'
import { Slug } from './attributes.ts'
import { StrictObject, Uuid } from './common.ts'
import { exampleId } from './example-values.ts'
import { FilterTree } from './filters.ts'
import { RECORD_SET_MAX } from './limits.ts'
import type { ApiRoutes } from './route.ts'

const Count = Type.Integer({ minimum: 0 })

const Referrer = StrictObject({ objectId: Uuid, objectSlug: Slug, attributeId: Uuid, attributeSlug: Slug })

export const ObjectDeletion = StrictObject(
  {
    records: Count,
    attributes: Type.Integer({ minimum: 0, description: 'Number of attributes, including inactive ones' }),
    views: Type.Integer({
      minimum: 0,
      description: 'Number of views of all users, including personal views',
    }),
    activities: Type.Integer({ minimum: 0, description: 'Activities that lose a link' }),
    referencedBy: Type.Array(Referrer, {
      description:
        'Attributes of other objects that refer to this object. The object cannot be deleted while such attributes exist',
    }),
  },
  { description: 'What is deleted together with an object' },
)
export type ObjectDeletion = Static<typeof ObjectDeletion>

export const AttributeDeletion = StrictObject(
  {
    values: Type.Integer({ minimum: 0, description: 'Records that have a value' }),
    views: Type.Integer({
      minimum: 0,
      description: 'Views that show, filter, sort or group by the attribute',
    }),
  },
  { description: 'What the deletion of an attribute deletes or affects' },
)
export type AttributeDeletion = Static<typeof AttributeDeletion>

export const RecordDeletionQuery = Type.Union(
  [
    StrictObject({ ids: Type.Array(Uuid, { minItems: 1, maxItems: RECORD_SET_MAX }) }),
    StrictObject({ filter: FilterTree }),
  ],
  { description: 'Records by their ids, or all records that match a filter' },
)
export type RecordDeletionQuery = Static<typeof RecordDeletionQuery>

export const RecordDeletion = StrictObject(
  {
    records: Type.Integer({ minimum: 0, description: 'Number of the given records that exist' }),
    references: Type.Integer({ minimum: 0, description: 'Values of other records that are cleared' }),
    activities: Type.Integer({ minimum: 0, description: 'Activities that lose a link' }),
  },
  { description: 'What is affected by the deletion of records' },
)
export type RecordDeletion = Static<typeof RecordDeletion>

/** Schemas by their names in the API document. */
export const objectDeletionSchemas = { ObjectDeletion }
export const attributeDeletionSchemas = { AttributeDeletion }
export const recordDeletionSchemas = { RecordDeletion, RecordDeletionQuery }

export const objectDeletionRoutes = {
  foreseeObjectDeletion: {
    at: 'GET /objects/:objectId/deletion',
    scope: 'objects:write',
    readScope: 'objects:read',
    summary: 'Preview the deletion of an object',
    description: 'Nothing is changed.',
    response: { 200: ObjectDeletion },
    example: { response: { records: 340, attributes: 12, views: 3, activities: 57, referencedBy: [] } },
  },
} satisfies ApiRoutes

export const attributeDeletionRoutes = {
  foreseeAttributeDeletion: {
    at: 'GET /objects/:objectId/attributes/:attributeId/deletion',
    scope: 'attributes:write',
    readScope: 'attributes:read',
    summary: 'Preview the deletion of an attribute',
    description: 'Nothing is changed.',
    response: { 200: AttributeDeletion },
    example: { response: { values: 212, views: 1 } },
  },
} satisfies ApiRoutes

export const recordDeletionRoutes = {
  foreseeRecordDeletion: {
    at: 'POST /objects/:objectId/records/deletion',
    changesNothing: true,
    scope: 'records:write',
    summary: 'Preview the deletion of records',
    description:
      'Counts what the deletion of records would affect: records by id, or all that match a filter. Nothing is changed.',
    body: RecordDeletionQuery,
    response: { 200: RecordDeletion },
    example: { body: { ids: [exampleId(3)] }, response: { records: 1, references: 4, activities: 2 } },
  },
} satisfies ApiRoutes
