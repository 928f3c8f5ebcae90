// One block per line of the specification's Activities table, in its order.
import type { FastifyReply } from 'fastify'
import { type Activity, activityRoutes } from '../../contract/activities.ts'
import { type Caller, mayRead } from '../caller.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { listActivities } from './listing.ts'
import { createActivity, deleteActivity, patchActivity } from './service.ts'
import { etagOf, getActivity, type StoredActivity } from './store.ts'

/** A key that may write activities, and not read them, gets no values but those that it sent. */
function sendActivity(
  reply: FastifyReply,
  activity: StoredActivity,
  { caller, body }: { caller: Caller; body: object },
): Activity {
  reply.header('etag', etagOf(activity))
  if (mayRead(caller, 'activities:read')) return activity
  const { id, version, createdAt, updatedAt } = activity
  return sendJson(reply, JSON.stringify({ ...body, id, version, createdAt, updatedAt }))
}

export function addActivityRoutes(app: App): void {
  addRoute(app, { ...activityRoutes.listActivities, isSearch: true }, ({ ctx, caller, query }) =>
    listActivities(ctx, caller, query),
  )

  addRoute(app, activityRoutes.getActivity, async ({ ctx, caller, params }, reply) => {
    const activity = await getActivity(ctx.db, caller.org, params.activityId)
    reply.header('etag', etagOf(activity))
    return activity
  })

  addRoute(
    app,
    { ...activityRoutes.createActivity, wakes: 'events' },
    async ({ ctx, caller, body }, reply) => {
      return sendActivity(reply, await createActivity(ctx, caller, body), { caller, body })
    },
  )

  addRoute(
    app,
    { ...activityRoutes.updateActivity, wakes: 'events' },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const change = { activityId: params.activityId, ifMatch: headers['if-match'], patch: body }
      return sendActivity(reply, await patchActivity(ctx, caller, change), { caller, body })
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
