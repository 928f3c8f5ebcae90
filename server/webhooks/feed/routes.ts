// Routes of the event feed, with which clients can catch up on events that webhooks deliver.
import { type EventList, eventRoutes } from '../../../contract/event-bodies.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { sendJson } from '../../http/send-json.ts'
import { readFeed } from './service.ts'

export function addEventFeedRoutes(app: App): void {
  addRoute(app, eventRoutes.listEvents, async ({ ctx, caller, query }, reply) =>
    sendJson<EventList>(reply, await readFeed(ctx.db, caller, query)),
  )
}
