// Deleted attributes that can be restored with their values.
import { type Static, Type } from 'typebox'
import { Attribute, AttributeType, exampleAttribute, Slug } from './attributes.ts'
import { Deleted, listOf, StrictObject, Uuid } from './common.ts'
import { exampleDeleted, exampleDeletion, exampleWhole } from './example-values.ts'
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
    values: Type.Integer({ description: 'Number of records that had a value' }),
    ...deletionFields,
    isSlugTaken: Type.Boolean({ description: 'true: another attribute uses the slug now' }),
    isTargetDeleted: Type.Boolean({
      description: 'true: the referenced object was deleted, so the attribute cannot be restored',
    }),
  },
  { description: 'A deleted attribute' },
)
export type TrashedAttribute = Static<typeof TrashedAttribute>

export const TrashedAttributeList = listOf('attributes', TrashedAttribute)

const AttributeRestoration = StrictObject({
  slug: Type.Optional(
    Type.String({ ...Slug, description: 'New slug, required if the original slug is taken' }),
  ),
})

const RestoredAttribute = StrictObject({
  attribute: Attribute,
  values: Type.Integer({
    description: 'Number of values that are still being restored in the background',
  }),
})

/** Schemas by their names in the API document. */
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
      'Most recently deleted first. Deleted attributes are deleted permanently after the organization’s `trashDays`, 30 by default.',
    query: WholeListQuery,
    response: { 200: TrashedAttributeList },
    example: {
      response: {
        attributes: [
          {
            ...{ id: exampleAttribute.id, objectId: exampleAttribute.objectId },
            ...{ name: exampleAttribute.name, slug: exampleAttribute.slug, type: exampleAttribute.type },
            values: 240,
            ...exampleDeletion,
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
      'Restores the attribute with its id, its position and its active or inactive state. Its values are restored to the records that have no newer value, and each of these records is updated: a few values immediately, many in the background, and values of an inactive attribute when it is activated again. Unique values that another record has now and references to deleted records are not restored.',
    body: AttributeRestoration,
    response: { 200: RestoredAttribute },
    errors: ['slug_conflict'],
    example: { body: {}, response: { attribute: exampleAttribute, values: 0 } },
  },
  purgeAttribute: {
    at: 'DELETE /objects/:objectId/trashed-attributes/:attributeId',
    formerAt: 'DELETE /objects/:objectId/attributes/trash/:attributeId',
    scope: 'attributes:write',
    summary: 'Delete an attribute permanently',
    description: 'Deletes the attribute and its values from the trash. They cannot be restored.',
    response: { 200: Deleted },
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
