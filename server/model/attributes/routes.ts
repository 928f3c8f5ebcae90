// One block per line of the specification's Attributes table, in its order, and the order of attributes.
import type { preValidationAsyncHookHandler } from 'fastify'
import { attributeRoutes } from '../../../contract/attributes.ts'
import { invalidField } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { addRoute } from '../../http/add-route.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App } from '../../http/request.ts'
import { orderAttributes } from './administration.ts'
import { createAttribute, deleteAttribute, patchAttribute, setAttributeActive } from './service.ts'
import { attributeEtag, getAttribute, listAttributes } from './store.ts'

/** Answers have the field, so it is tried: it is changed elsewhere. @throws 400 validation_error */
const refuseNaming: preValidationAsyncHookHandler = async ({ body }) => {
  if (!isObject(body) || !('isNaming' in body)) return
  const message = 'cannot be set here: send {"namingAttributeId": "<id>"} with PATCH /objects/:objectId'
  throw invalidField('isNaming', 'unknown_field', message)
}

export function addAttributeRoutes(app: App): void {
  addRoute(app, attributeRoutes.listAttributes, async ({ ctx, caller, params, query }) => {
    const which = { objectId: params.objectId, includeInactive: query.includeInactive ?? false }
    const all = await listAttributes(ctx.db, caller.org, which)
    const { rows: attributes, pagination } = pageOfWhole(all, query, ['attributes', caller.org, which])
    return { attributes, pagination }
  })

  addRoute(app, attributeRoutes.getAttribute, async ({ ctx, caller, params }, reply) => {
    const attribute = await getAttribute(ctx.db, caller.org, params)
    reply.header('etag', attributeEtag(attribute))
    return attribute
  })

  addRoute(
    app,
    { ...attributeRoutes.createAttribute, preValidation: refuseNaming },
    async ({ ctx, caller, params, body }, reply) => {
      const creation = { objectId: params.objectId, input: body }
      const attribute = await createAttribute(ctx, caller.org, creation)
      reply.header('etag', attributeEtag(attribute))
      return attribute
    },
  )

  addRoute(
    app,
    { ...attributeRoutes.updateAttribute, preValidation: refuseNaming },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const change = { ...params, ifMatch: headers['if-match'], patch: body }
      const attribute = await patchAttribute(ctx, caller.org, change)
      reply.header('etag', attributeEtag(attribute))
      return attribute
    },
  )

  addRoute(app, attributeRoutes.setAttributeActive, async ({ ctx, caller, params, body }, reply) => {
    const attribute = await setAttributeActive(ctx, caller, { ...params, ...body })
    reply.header('etag', attributeEtag(attribute))
    return attribute
  })

  addRoute(app, attributeRoutes.orderAttributes, async ({ ctx, caller, params, body }) => ({
    attributes: await orderAttributes(ctx, caller.org, { ...params, ...body }),
  }))

  addRoute(app, attributeRoutes.deleteAttribute, async ({ ctx, caller, params, query, headers }) => {
    const change = { ...params, ifMatch: headers['if-match'], isPermanent: query.permanent ?? false }
    return { id: await deleteAttribute(ctx, caller, change), deleted: true as const }
  })
}
