// Saved views of an object.
import { viewRoutes } from '../../contract/views.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { createView, deleteView, listViews, patchView } from './service.ts'

export function addViewDashboardRoutes(app: App): void {
  addRoute(app, viewRoutes.listViews, async ({ ctx, caller, params }) => ({
    views: await listViews(ctx, caller, params.objectId),
  }))

  addRoute(app, viewRoutes.createView, ({ ctx, caller, params, body }) =>
    createView(ctx, caller, params.objectId, body),
  )

  addRoute(app, viewRoutes.updateView, ({ ctx, caller, role, params, body }) =>
    patchView(ctx, { caller, role }, { ...params, patch: body }),
  )

  addRoute(app, viewRoutes.deleteView, async ({ ctx, caller, role, params }) => ({
    id: await deleteView(ctx, { caller, role }, params),
    deleted: true as const,
  }))
}
