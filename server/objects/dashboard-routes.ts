// What the dashboard's settings ask about objects beyond the API.
import { ObjectOverviewList } from '../../contract/object-overview.ts'
import type { App } from '../http/request.ts'
import { listAllObjects } from './overview.ts'

export function objectDashboardRoutes(app: App): void {
  app.get(
    '/all-objects',
    { config: { scope: 'objects:read' }, schema: { response: { 200: ObjectOverviewList } } },
    async ({ ctx, caller }) => ({ objects: await listAllObjects(ctx, caller.org) }),
  )
}
