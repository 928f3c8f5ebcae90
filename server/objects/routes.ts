// One block per line of the specification's Objects table, in its order.
import { Type } from 'typebox'
import { Deleted } from '../../contract/common.ts'
import {
  CrmObject,
  NewObject,
  ObjectList,
  ObjectPatch,
  ObjectWithAttributes,
} from '../../contract/objects.ts'
import type { App } from '../http/request.ts'
import { selectAttributes } from './attribute-columns.ts'
import { createObject, deleteObject, patchObject } from './service.ts'
import { etagOf, getObject, selectObjects } from './store.ts'

const ObjectParams = Type.Object({ objectId: Type.String({ description: 'The object’s id, or its slug' }) })

export function objectRoutes(app: App): void {
  app.get(
    '/objects',
    { config: { scope: 'objects:read' }, schema: { response: { 200: ObjectList } } },
    async ({ ctx, caller }) => ({ objects: await selectObjects(ctx.db, caller.org) }),
  )

  app.get(
    '/objects/:objectId',
    {
      config: { scope: 'objects:read' },
      schema: { params: ObjectParams, response: { 200: ObjectWithAttributes } },
    },
    async ({ ctx, caller, params }, reply) => {
      const object = await getObject(ctx.db, caller.org, params.objectId)
      const which = { obj: object.obj, includeInactive: false }
      reply.header('etag', etagOf(object))
      return { ...object, attributes: await selectAttributes(ctx.db, caller.org, which) }
    },
  )

  app.post(
    '/objects',
    {
      config: { scope: 'objects:write', errors: ['slug_conflict'] },
      schema: { body: NewObject, response: { 201: CrmObject } },
    },
    async ({ ctx, caller, body }, reply) => {
      const object = await createObject(ctx, caller.org, body)
      reply.code(201).header('etag', etagOf(object))
      return object
    },
  )

  app.patch(
    '/objects/:objectId',
    {
      config: { scope: 'objects:write', errors: ['standard_object', 'precondition_failed'] },
      schema: { params: ObjectParams, body: ObjectPatch, response: { 200: CrmObject } },
    },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const change = { objectId: params.objectId, ifMatch: headers['if-match'], patch: body }
      const object = await patchObject(ctx, caller.org, change)
      reply.header('etag', etagOf(object))
      return object
    },
  )

  app.delete(
    '/objects/:objectId',
    {
      config: {
        scope: 'objects:write',
        errors: ['standard_object', 'object_referenced', 'precondition_failed'],
      },
      schema: { params: ObjectParams, response: { 200: Deleted } },
    },
    async ({ ctx, caller, params, headers }) => {
      const change = { objectId: params.objectId, ifMatch: headers['if-match'] }
      return { id: await deleteObject(ctx, caller, change), deleted: true as const }
    },
  )
}
