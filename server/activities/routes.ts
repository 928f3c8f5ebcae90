// One route for each line of the Activities table in the specification, in the same order.
import { activityRoutes } from '../../contract/activities.ts'
import { activityHistoryRoutes } from '../../contract/activity-history.ts'
import { activityTrashRoutes } from '../../contract/activity-trash.ts'
import { addRoute } from '../http/add-route.ts'
import { withEtag } from '../http/etag.ts'
import type { App } from '../http/request.ts'
import { activityHistory, undoActivityChange } from './history/service.ts'
import { listActivities } from './listing.ts'
import { createActivity, deleteActivity, patchActivity } from './service.ts'
import { activityEtag, getActivity } from './store.ts'
import { listTrashedActivities } from './trash/listing.ts'
import { purgeActivity } from './trash/purge.ts'
import { restoreActivity } from './trash/restore.ts'

function addCurrentActivityRoutes(app: App): void {
  addRoute(app, { ...activityRoutes.listActivities, isSearch: true }, ({ ctx, caller, query }) =>
    listActivities(ctx, caller, query),
  )

  addRoute(app, activityRoutes.getActivity, async ({ ctx, caller, params }, reply) =>
    withEtag(reply, activityEtag, await getActivity(ctx.db, caller.org, params.activityId)),
  )

  addRoute(app, { ...activityRoutes.createActivity, wakes: 'events' }, async ({ ctx, caller, body }, reply) =>
    withEtag(reply, activityEtag, await createActivity(ctx, caller, body)),
  )

  addRoute(
    app,
    { ...activityRoutes.updateActivity, wakes: 'events' },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const change = { activityId: params.activityId, ifMatch: headers['if-match'], patch: body }
      return withEtag(reply, activityEtag, await patchActivity(ctx, caller, change))
    },
  )

  addRoute(
    app,
    { ...activityRoutes.deleteActivity, wakes: 'events' },
    async ({ ctx, caller, params, headers }) => {
      const change = { activityId: params.activityId, ifMatch: headers['if-match'] }
      return { id: await deleteActivity(ctx, caller, change), deleted: true as const }
    },
  )
}

function addActivityHistoryRoutes(app: App): void {
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

function addActivityTrashRoutes(app: App): void {
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

export function addActivityRoutes(app: App): void {
  addCurrentActivityRoutes(app)
  addActivityHistoryRoutes(app)
  addActivityTrashRoutes(app)
}
