// Routes of saved views of an object.
import { viewRoutes } from '../../contract/views.ts'
import { addRoute } from '../http/add-route.ts'
import { contentTag } from '../http/etag.ts'
import { pageOfWhole } from '../http/paging.ts'
import type { App } from '../http/request.ts'
import { createView, deleteView, getView, listViews, patchView } from './service.ts'

export function addViewRoutes(app: App): void {
  addRoute(app, viewRoutes.listViews, async ({ ctx, caller, params, query }) => {
    const all = await listViews(ctx, caller, params.objectId)
    const { rows: views, pagination } = pageOfWhole(all, query, ['views', caller.org, params.objectId])
    return { views, pagination }
  })

  addRoute(app, viewRoutes.getView, async ({ ctx, caller, params }, reply) => {
    const view = await getView(ctx, caller, params)
    reply.header('etag', contentTag(view))
    return view
  })

  addRoute(app, viewRoutes.createView, async ({ ctx, caller, params, body }, reply) => {
    const view = await createView(ctx, caller, params.objectId, body)
    reply.header('etag', contentTag(view))
    return view
  })

  addRoute(app, viewRoutes.updateView, async ({ ctx, caller, role, params, body, headers }, reply) => {
    const change = { ...params, ifMatch: headers['if-match'], patch: body }
    const view = await patchView(ctx, { caller, role }, change)
    reply.header('etag', contentTag(view))
    return view
  })

  addRoute(app, viewRoutes.deleteView, async ({ ctx, caller, role, params, headers }) => ({
    id: await deleteView(ctx, { caller, role }, { ...params, ifMatch: headers['if-match'] }),
    deleted: true as const,
  }))
}
