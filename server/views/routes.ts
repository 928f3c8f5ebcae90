// Routes of saved views of an object.
import { viewRoutes } from '../../contract/views.ts'
import { addRoute } from '../http/add-route.ts'
import { contentTag, withEtag } from '../http/etag.ts'
import { pageOfWhole } from '../http/paging.ts'
import type { App } from '../http/request.ts'
import { createView, deleteView, getView, listViews, patchView } from './service.ts'

export function addViewRoutes(app: App): void {
  addRoute(app, viewRoutes.listViews, async ({ ctx, caller, params, query }) => {
    const all = await listViews(ctx, caller, params.objectId)
    return pageOfWhole('views', all, query, ['views', caller.org, params.objectId])
  })

  addRoute(app, viewRoutes.getView, async ({ ctx, caller, params }, reply) =>
    withEtag(reply, contentTag, await getView(ctx, caller, params)),
  )

  addRoute(app, viewRoutes.createView, async ({ ctx, caller, params, body }, reply) =>
    withEtag(reply, contentTag, await createView(ctx, caller, params.objectId, body)),
  )

  addRoute(app, viewRoutes.updateView, async ({ ctx, caller, role, params, body, headers }, reply) => {
    const change = { ...params, ifMatch: headers['if-match'], patch: body }
    return withEtag(reply, contentTag, await patchView(ctx, { caller, role }, change))
  })

  addRoute(app, viewRoutes.deleteView, async ({ ctx, caller, role, params, headers }) => ({
    id: await deleteView(ctx, { caller, role }, { ...params, ifMatch: headers['if-match'] }),
    deleted: true as const,
  }))
}
