// The specification's section "Object": the kinds of records of an organization.
import { type Static, Type } from 'typebox'
import { Attribute, exampleAttribute, Slug } from './attributes.ts'
import {
  Clearable,
  Deleted,
  flag,
  listOf,
  literals,
  Nullable,
  StrictObject,
  Timestamp,
  Uuid,
} from './common.ts'
import { exampleDeleted, exampleId, exampleTimes, exampleWhole } from './example-values.ts'
import { NOT_BLANK } from './not-blank.ts'
import { wholeListParams } from './paging.ts'
import type { ApiRoutes } from './route.ts'

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: 200, examples: ['Projects'] })
const Description = Type.String({ maxLength: 2000 })

export const CrmObject = StrictObject(
  {
    id: Uuid,
    type: literals(['standard', 'custom']),
    pluralName: Name,
    singularName: Name,
    description: Description,
    slug: Slug,
    isActive: Type.Boolean(),
    namingAttributeId: Nullable(Uuid, {
      description: '(+) The attribute whose value is the name of a record; null: no attribute can name one',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { description: 'A kind of record' },
)
export type CrmObject = Static<typeof CrmObject>

export const ObjectWithAttributes = StrictObject({
  ...CrmObject.properties,
  attributes: Type.Array(Attribute, { description: 'Active attributes, by displayOrder' }),
})
export type ObjectWithAttributes = CrmObject & { attributes: Attribute[] }

export const ObjectList = listOf('objects', CrmObject)

export const NewObject = StrictObject({
  pluralName: Name,
  singularName: Name,
  description: Type.Optional(Clearable(Description)),
  slug: Type.Optional(Slug),
})
export type NewObject = Static<typeof NewObject>

export const ObjectPatch = StrictObject({
  pluralName: Type.Optional(Name),
  description: Type.Optional(Clearable(Description)),
  isActive: Type.Optional(Type.Boolean()),
  namingAttributeId: Type.Optional(
    Nullable(Uuid, {
      description:
        '(+) An active attribute of type text, name or email that is not a list. null: the attribute with the slug name, else the first attribute of type text or name, else the first of type email',
    }),
  ),
})
export type ObjectPatch = Static<typeof ObjectPatch>

const ObjectQuery = StrictObject({
  ...wholeListParams,
  includeInactive: flag('true: include inactive objects'),
})

/** Schemas by their names in the API document. */
export const objectSchemas = { Object: CrmObject, ObjectWithAttributes, ObjectList, NewObject, ObjectPatch }

export const exampleObject = {
  id: exampleId(1),
  type: 'custom',
  pluralName: 'Projects',
  singularName: 'Project',
  description: 'What we do for customers',
  slug: 'projects',
  isActive: true,
  namingAttributeId: exampleId(3),
  ...exampleTimes,
}

const ObjectDeletionQuery = StrictObject({
  permanent: flag('true: delete permanently instead of moving to the trash'),
})

export const objectRoutes = {
  listObjects: {
    at: 'GET /objects',
    scope: 'objects:read',
    summary: 'List objects',
    description: 'Oldest first. Only active objects, unless `includeInactive` is true.',
    query: ObjectQuery,
    response: { 200: ObjectList },
    example: { response: { objects: [exampleObject], pagination: exampleWhole } },
  },
  getObject: {
    at: 'GET /objects/:objectId',
    scope: 'objects:read',
    summary: 'Get an object',
    description: 'Includes the active attributes. Works for inactive objects too.',
    response: { 200: ObjectWithAttributes },
    example: { response: { ...exampleObject, attributes: [exampleAttribute] } },
  },
  createObject: {
    at: 'POST /objects',
    scope: 'objects:write',
    readScope: 'objects:read',
    summary: 'Create a custom object',
    description: '`slug` defaults to the snake_case form of `pluralName`.',
    body: NewObject,
    response: { 201: CrmObject },
    errors: ['slug_conflict'],
    example: {
      body: {
        pluralName: 'Projects',
        singularName: 'Project',
        description: 'What we do for customers',
        slug: 'projects',
      },
      response: exampleObject,
    },
  },
  updateObject: {
    at: 'PATCH /objects/:objectId',
    scope: 'objects:write',
    readScope: 'objects:read',
    summary: 'Update a custom object',
    description: 'Records of an inactive object are read-only.',
    body: ObjectPatch,
    response: { 200: CrmObject },
    errors: ['standard_object', 'precondition_failed'],
    example: { body: { description: 'What we do for customers', isActive: false }, response: exampleObject },
  },
  deleteObject: {
    at: 'DELETE /objects/:objectId',
    scope: 'objects:write',
    summary: 'Delete a custom object',
    description:
      'Also deletes its attributes and records. They disappear from all responses immediately; a `record.deleted` event for each record follows in the background. The object stays in the trash with its attributes and records for 30 days by default, and can be restored during that time. The request fails while reference attributes of other objects refer to the object.',
    query: ObjectDeletionQuery,
    response: { 200: Deleted },
    errors: ['standard_object', 'object_referenced', 'precondition_failed'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
