import { activityTrashRoutes } from '../../../contract/activity-trash.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { listTrashedActivities } from './listing.ts'
import { purgeActivity } from './purge.ts'
import { restoreActivity } from './restore.ts'

export function addActivityTrashRoutes(app: App): void {
  addRoute(app, activityTrashRoutes.listTrashedActivities, ({ ctx, caller, query }) =>
    listTrashedActivities(ctx, caller, query),
  )

  addRoute(app, { ...activityTrashRoutes.restoreActivity, wakes: 'events' }, ({ ctx, caller, params }) =>
    restoreActivity(ctx, caller, params.activityId),
  )

  addRoute(app, activityTrashRoutes.purgeActivity, async ({ ctx, caller, params }) => ({
    id: await purgeActivity(ctx, caller, params.activityId),
    deleted: true as const,
  }))
}
