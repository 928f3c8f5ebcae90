import { activityHistoryRoutes } from '../../../contract/activity-history.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { activityHistory, undoActivityChange } from './service.ts'

export function addActivityHistoryRoutes(app: App): void {
  addRoute(app, activityHistoryRoutes.listActivityHistory, ({ ctx, caller, params, query }) =>
    activityHistory(ctx, caller, params.activityId, query),
  )

  addRoute(
    app,
    { ...activityHistoryRoutes.undoActivityChange, wakes: 'events' },
    ({ ctx, caller, params, query, body }) =>
      undoActivityChange(ctx, caller, { activityId: params.activityId, body, dryRun: query.dryRun }),
  )
}
