// Routes for the settings pages of the dashboard that are not part of the API.
import { objectDashboardRoutes } from '../../../contract/object-overview.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { listAllObjects } from './overview.ts'

export function addObjectDashboardRoutes(app: App): void {
  addRoute(app, objectDashboardRoutes.listAllObjects, async ({ ctx, caller }) => ({
    objects: await listAllObjects(ctx, caller.org),
  }))
}
