// The stream of live updates: what changed in the organization, as server-sent events.

import { isUuid } from '../../contract/common.ts'
import { liveRoutes } from '../../contract/live.ts'
import { addRoute } from '../http/add-route.ts'
import { networkOf } from '../http/client-network.ts'
import type { App } from '../http/request.ts'
import type { LiveHubs } from './service.ts'

/** Every role can read it: it contains ids of records, activities and runs. */
export function addLiveDashboardRoutes(app: App, hubs: LiveHubs): void {
  addRoute(
    app,
    {
      ...liveRoutes.openStream,
      isStream: true,
      // A HEAD request would open a stream.
      exposeHeadRoute: false,
    },
    async ({ ctx, caller, signedIn, headers, query, ip }, reply) => {
      const last = headers['last-event-id']
      const after = isUuid(last) ? last : query.after
      const { sessionId, user } = signedIn
      const { org, userId } = caller
      const owner = { org, userId, sessionId, isVerified: user.emailVerified, client: networkOf(ip) }
      const stream = await hubs.of(ctx).open(owner, after)
      // The client may have disconnected in the meantime.
      if (reply.raw.destroyed) stream.destroy()
      reply.raw.once('close', () => stream.destroy())
      return reply
        .headers({ 'x-accel-buffering': 'no', connection: 'close' })
        .type('text/event-stream')
        .send(stream)
    },
  )
}
