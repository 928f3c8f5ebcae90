// Deleted attributes that can be restored with their values.
import { type Static, Type } from 'typebox'
import { Attribute, AttributeType, exampleAttribute, Slug } from './attributes.ts'
import { Deleted, Pagination, StrictObject, Uuid } from './common.ts'
import { exampleDeleted, exampleId, exampleWhole } from './example-values.ts'
import { WholeListQuery } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import { deletionFields } from './trash.ts'

export const TrashedAttribute = StrictObject(
  {
    id: Uuid,
    objectId: Uuid,
    name: Type.String(),
    slug: Slug,
    type: AttributeType,
    values: Type.Integer({ description: 'Records that had a value' }),
    ...deletionFields,
    isSlugTaken: Type.Boolean({ description: 'true: another attribute has the slug now' }),
    isTargetDeleted: Type.Boolean({
      description: 'true: the object that it referred to was deleted, so it cannot be restored',
    }),
  },
  { description: 'A deleted attribute' },
)
export type TrashedAttribute = Static<typeof TrashedAttribute>

export const TrashedAttributeList = StrictObject({
  attributes: Type.Array(TrashedAttribute),
  pagination: Pagination,
})

const AttributeRestoration = StrictObject({
  slug: Type.Optional(Type.String({ ...Slug, description: 'Another slug, where its own is taken' })),
})

const RestoredAttribute = StrictObject({
  attribute: Attribute,
  values: Type.Integer({
    description: 'How many values are still returning to the records, in the background',
  }),
})

/** Their names in the API document. */
export const attributeTrashSchemas = {
  TrashedAttribute,
  TrashedAttributeList,
  AttributeRestoration,
  RestoredAttribute,
}

export const attributeTrashRoutes = {
  listTrashedAttributes: {
    at: 'GET /objects/:objectId/trashed-attributes',
    formerAt: 'GET /objects/:objectId/attributes/trash',
    scope: 'attributes:read',
    summary: 'List deleted attributes',
    description:
      'The last deleted first. After 30 days, or as many as the organization has set, they are deleted for good.',
    query: WholeListQuery,
    response: { 200: TrashedAttributeList },
    example: {
      response: {
        attributes: [
          {
            ...{ id: exampleAttribute.id, objectId: exampleAttribute.objectId },
            ...{ name: exampleAttribute.name, slug: exampleAttribute.slug, type: exampleAttribute.type },
            values: 240,
            deletedAt: '2026-11-20T10:00:00.000Z',
            deletedBy: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
            purgeAt: '2026-12-20T10:00:00.000Z',
            isSlugTaken: false,
            isTargetDeleted: false,
          },
        ],
        pagination: exampleWhole,
      },
    },
  },
  restoreAttribute: {
    at: 'POST /objects/:objectId/trashed-attributes/:attributeId/restore',
    formerAt: 'POST /objects/:objectId/attributes/trash/:attributeId/restore',
    scope: 'attributes:write',
    readScope: 'attributes:read',
    summary: 'Restore a deleted attribute',
    description:
      'It returns as it was, with its id, its place and whether it is active. Its values return to the records that have none of it since, each of which is updated: a few immediately, many in the background; those of an inactive attribute when it is active again. Values that another record has now and references to deleted records do not return.',
    body: AttributeRestoration,
    response: { 200: RestoredAttribute },
    errors: ['slug_conflict'],
    example: { body: {}, response: { attribute: exampleAttribute, values: 0 } },
  },
  purgeAttribute: {
    at: 'DELETE /objects/:objectId/trashed-attributes/:attributeId',
    formerAt: 'DELETE /objects/:objectId/attributes/trash/:attributeId',
    scope: 'attributes:write',
    summary: 'Delete a deleted attribute for good',
    description: 'With its values: it cannot be restored any more.',
    response: { 200: Deleted },
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
