// One block per line of the specification's Attributes table, in its order.
import { Type } from 'typebox'
import { Attribute, AttributeList, AttributePatch, NewAttribute } from '../../contract/attributes.ts'
import { Deleted } from '../../contract/common.ts'
import type { App } from '../http/request.ts'
import { createAttribute, deleteAttribute, patchAttribute } from './service.ts'
import { etagOf, getAttribute, listAttributes } from './store.ts'

const ObjectRef = Type.String({ description: 'The object’s id, or its slug' })
const ObjectParams = Type.Object({ objectId: ObjectRef })
const AttributeParams = Type.Object({ objectId: ObjectRef, attributeId: Type.String() })

const ListQuery = Type.Object(
  {
    includeInactive: Type.Optional(
      Type.Boolean({ default: false, description: 'true: inactive attributes too' }),
    ),
  },
  { additionalProperties: false },
)

export function attributeRoutes(app: App): void {
  app.get(
    '/objects/:objectId/attributes',
    {
      config: { scope: 'attributes:read' },
      schema: { params: ObjectParams, querystring: ListQuery, response: { 200: AttributeList } },
    },
    async ({ ctx, caller, params, query }) => {
      const which = { objectId: params.objectId, includeInactive: query.includeInactive ?? false }
      return { attributes: await listAttributes(ctx.db, caller.org, which) }
    },
  )

  app.get(
    '/objects/:objectId/attributes/:attributeId',
    {
      config: { scope: 'attributes:read' },
      schema: { params: AttributeParams, response: { 200: Attribute } },
    },
    async ({ ctx, caller, params }, reply) => {
      const attribute = await getAttribute(ctx.db, caller.org, params)
      reply.header('etag', etagOf(attribute))
      return attribute
    },
  )

  app.post(
    '/objects/:objectId/attributes',
    {
      config: { scope: 'attributes:write', errors: ['slug_conflict'] },
      schema: { params: ObjectParams, body: NewAttribute, response: { 201: Attribute } },
    },
    async ({ ctx, caller, params, body }, reply) => {
      const creation = { objectId: params.objectId, input: body }
      const attribute = await createAttribute(ctx, caller.org, creation)
      reply.code(201).header('etag', etagOf(attribute))
      return attribute
    },
  )

  app.patch(
    '/objects/:objectId/attributes/:attributeId',
    {
      config: { scope: 'attributes:write', errors: ['standard_object', 'precondition_failed'] },
      schema: { params: AttributeParams, body: AttributePatch, response: { 200: Attribute } },
    },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const change = { ...params, ifMatch: headers['if-match'], patch: body }
      const attribute = await patchAttribute(ctx, caller.org, change)
      reply.header('etag', etagOf(attribute))
      return attribute
    },
  )

  app.delete(
    '/objects/:objectId/attributes/:attributeId',
    {
      config: { scope: 'attributes:write', errors: ['standard_object', 'precondition_failed'] },
      schema: { params: AttributeParams, response: { 200: Deleted } },
    },
    async ({ ctx, caller, params, headers }) => {
      const change = { ...params, ifMatch: headers['if-match'] }
      return { id: await deleteAttribute(ctx, caller.org, change), deleted: true as const }
    },
  )
}
