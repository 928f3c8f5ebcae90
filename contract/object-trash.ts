// Deleted objects that can be restored with their attributes, views and records.
import { type Static, Type } from 'typebox'
import { Slug } from './attributes.ts'
import { Deleted, Pagination, StrictObject, Uuid } from './common.ts'
import { exampleDeleted, exampleId, exampleWhole } from './example-values.ts'
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
    attributes: Type.Integer({ description: 'Attributes that return with it' }),
    records: Type.Integer({ description: 'Records that return with it' }),
    ...deletionFields,
    isSlugTaken: Type.Boolean({ description: 'true: another object has the slug now' }),
  },
  { description: 'A deleted object' },
)
export type TrashedObject = Static<typeof TrashedObject>

export const TrashedObjectList = StrictObject({ objects: Type.Array(TrashedObject), pagination: Pagination })

const ObjectRestoration = StrictObject({
  slug: Type.Optional(Type.String({ ...Slug, description: 'Another slug, where its own is taken' })),
})

const RestoredObject = StrictObject({
  object: CrmObject,
  records: Type.Integer({ description: 'How many records are still returning, in the background' }),
})

/** Their names in the API document. */
export const objectTrashSchemas = { TrashedObject, TrashedObjectList, ObjectRestoration, RestoredObject }

export const objectTrashRoutes = {
  listTrashedObjects: {
    at: 'GET /trashed-objects',
    scope: 'objects:read',
    summary: 'List deleted objects',
    description:
      'The last deleted first. After 30 days, or as many as the organization has set, they are deleted for good.',
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
            deletedAt: '2026-11-20T10:00:00.000Z',
            deletedBy: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
            purgeAt: '2026-12-20T10:00:00.000Z',
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
      'It returns with its id, attributes and views. Its records return as those of the trash do, a few immediately and many in the background. Attributes that refer to an object that was deleted since do not return.',
    body: ObjectRestoration,
    response: { 200: RestoredObject },
    errors: ['slug_conflict'],
    example: { body: {}, response: { object: exampleObject, records: 0 } },
  },
  purgeObject: {
    at: 'DELETE /trashed-objects/:objectId',
    scope: 'objects:write',
    summary: 'Delete a deleted object for good',
    description: 'With its attributes and records: it cannot be restored any more.',
    response: { 200: Deleted },
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
