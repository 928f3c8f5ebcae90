// Deleted objects that can be restored with their attributes, views and records.
import { type Static, Type } from 'typebox'
import { Slug } from './attributes.ts'
import { Deleted, listOf, StrictObject, Uuid } from './common.ts'
import { exampleDeleted, exampleDeletion, exampleWhole } from './example-values.ts'
import { CrmObject, exampleObject } from './objects.ts'
import { WholeListQuery } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import { deletionFields } from './trash.ts'

export const TrashedObject = StrictObject(
  {
    id: Uuid,
    pluralName: Type.String(),
    singularName: Type.String(),
    slug: Slug,
    attributes: Type.Integer({ description: 'Attributes that are restored with the object' }),
    records: Type.Integer({ description: 'Records that are restored with the object' }),
    ...deletionFields,
    isSlugTaken: Type.Boolean({ description: 'true: another object uses the slug now' }),
  },
  { description: 'A deleted object' },
)
export type TrashedObject = Static<typeof TrashedObject>

export const TrashedObjectList = listOf('objects', TrashedObject)

const ObjectRestoration = StrictObject({
  slug: Type.Optional(
    Type.String({ ...Slug, description: 'New slug, required if the original slug is taken' }),
  ),
})

const RestoredObject = StrictObject({
  object: CrmObject,
  records: Type.Integer({ description: 'Number of records that are still being restored in the background' }),
})

/** Schemas by their names in the API document. */
export const objectTrashSchemas = { TrashedObject, TrashedObjectList, ObjectRestoration, RestoredObject }

export const objectTrashRoutes = {
  listTrashedObjects: {
    at: 'GET /trashed-objects',
    scope: 'objects:read',
    summary: 'List deleted objects',
    description:
      'Most recently deleted first. Deleted objects are deleted permanently after the organization’s `trashDays`, 30 by default.',
    query: WholeListQuery,
    response: { 200: TrashedObjectList },
    example: {
      response: {
        objects: [
          {
            ...{ id: exampleObject.id, pluralName: exampleObject.pluralName },
            ...{ singularName: exampleObject.singularName, slug: exampleObject.slug },
            attributes: 4,
            records: 240,
            ...exampleDeletion,
            isSlugTaken: false,
          },
        ],
        pagination: exampleWhole,
      },
    },
  },
  restoreObject: {
    at: 'POST /trashed-objects/:objectId/restore',
    scope: 'objects:write',
    readScope: 'objects:read',
    summary: 'Restore a deleted object',
    description:
      'Restores the object with its id, attributes and views. Its records are restored as from the trash, a few immediately and many in the background. Attributes that refer to an object that was deleted in the meantime are not restored.',
    body: ObjectRestoration,
    response: { 200: RestoredObject },
    errors: ['slug_conflict'],
    example: { body: {}, response: { object: exampleObject, records: 0 } },
  },
  purgeObject: {
    at: 'DELETE /trashed-objects/:objectId',
    scope: 'objects:write',
    summary: 'Delete an object permanently',
    description:
      'Deletes the object with its attributes and records from the trash. They cannot be restored.',
    response: { 200: Deleted },
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
