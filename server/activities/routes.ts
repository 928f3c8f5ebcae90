// One route for each line of the Activities table in the specification, in the same order.
import { activityRoutes } from '../../contract/activities.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { listActivities } from './listing.ts'
import { createActivity, deleteActivity, patchActivity } from './service.ts'
import { activityEtag, getActivity } from './store.ts'

export function addActivityRoutes(app: App): void {
  addRoute(app, { ...activityRoutes.listActivities, isSearch: true }, ({ ctx, caller, query }) =>
    listActivities(ctx, caller, query),
  )

  addRoute(app, activityRoutes.getActivity, async ({ ctx, caller, params }, reply) => {
    const activity = await getActivity(ctx.db, caller.org, params.activityId)
    reply.header('etag', activityEtag(activity))
    return activity
  })

  addRoute(
    app,
    { ...activityRoutes.createActivity, wakes: 'events' },
    async ({ ctx, caller, body }, reply) => {
      const activity = await createActivity(ctx, caller, body)
      reply.header('etag', activityEtag(activity))
      return activity
    },
  )

  addRoute(
    app,
    { ...activityRoutes.updateActivity, wakes: 'events' },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const change = { activityId: params.activityId, ifMatch: headers['if-match'], patch: body }
      const activity = await patchActivity(ctx, caller, change)
      reply.header('etag', activityEtag(activity))
      return activity
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
