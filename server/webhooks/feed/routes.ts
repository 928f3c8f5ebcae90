// The API's way to catch up with what webhooks deliver.
import { EventList, FeedQuery } from '../../../contract/event-bodies.ts'
import type { App } from '../../http/request.ts'
import { sendJson } from '../../http/send-json.ts'
import { readFeed } from './service.ts'

export function eventFeedRoutes(app: App): void {
  app.get(
    '/events',
    {
      config: { scope: 'webhooks:manage' },
      schema: { querystring: FeedQuery, response: { 200: EventList } },
    },
    async ({ ctx, caller, query }, reply) =>
      sendJson<EventList>(reply, await readFeed(ctx.db, caller.org, query)),
  )
}
