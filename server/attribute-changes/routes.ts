// Routes that create and change attributes. Records, views, workflows and reports follow the changes.
import { optionRoutes } from '../../contract/attribute-options.ts'
import { attributeRoutes } from '../../contract/attributes.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { addAttribute } from './creation.ts'
import { changeOptions, listOptions } from './options.ts'
import { changeRulesFirst, refuseOthers, saveAttribute } from './update.ts'

export function addAttributeChangeRoutes(app: App): void {
  addRoute(
    app,
    { ...attributeRoutes.createAttribute, preValidation: refuseOthers },
    async ({ ctx, caller, params, body }, reply) => {
      const creation = { objectId: params.objectId, input: body }
      const { attribute, etag } = await addAttribute(ctx, caller, creation)
      reply.header('etag', etag)
      return attribute
    },
  )

  addRoute(
    app,
    { ...attributeRoutes.updateAttribute, preValidation: refuseOthers, beforeTransaction: changeRulesFirst },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const update = { ...params, ifMatch: headers['if-match'], patch: body }
      const { attribute, etag } = await saveAttribute(ctx, caller, update)
      reply.header('etag', etag)
      return attribute
    },
  )

  addRoute(app, optionRoutes.listOptions, ({ ctx, caller, params }) => listOptions(ctx, caller, params))

  addRoute(app, optionRoutes.changeOptions, async ({ ctx, caller, params, body }, reply) => {
    const { attribute, etag } = await changeOptions(ctx, caller, { ...params, patch: body })
    reply.header('etag', etag)
    return attribute
  })
}
