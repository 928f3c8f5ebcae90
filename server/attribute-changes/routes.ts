// Changes of attributes that records, views, workflows and reports follow.
import { optionRoutes } from '../../contract/attribute-options.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { changeOptions, listOptions } from './options.ts'

export function addAttributeChangeRoutes(app: App): void {
  addRoute(app, optionRoutes.listOptions, ({ ctx, caller, params }) => listOptions(ctx, caller, params))

  addRoute(app, optionRoutes.changeOptions, async ({ ctx, caller, params, body }, reply) => {
    const { attribute, etag } = await changeOptions(ctx, caller, { ...params, patch: body })
    reply.header('etag', etag)
    return attribute
  })
}
