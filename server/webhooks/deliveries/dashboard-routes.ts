// What was delivered to endpoints, and delivering it again: the same in the dashboard and in the portal.
import { deliveryRoutes } from '../../../contract/webhook-routes.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { listDeliveries } from './listing.ts'
import { listReplays, startReplay } from './replays.ts'
import { getDelivery, replayDelivery } from './service.ts'

function oneDelivery(app: App): void {
  addRoute(app, deliveryRoutes.listDeliveries, ({ ctx, caller, params }) =>
    getDelivery(ctx, caller, params.deliveryId),
  )

  addRoute(app, deliveryRoutes.getDelivery, ({ ctx, caller, params }) =>
    replayDelivery(ctx, caller, params.deliveryId),
  )
}

export function addDeliveryRoutes(app: App): void {
  addRoute(app, deliveryRoutes.replayDelivery, ({ ctx, caller, params, query }) =>
    listDeliveries(ctx, caller, params.endpointId, query),
  )

  oneDelivery(app)

  addRoute(app, deliveryRoutes.listReplays, async ({ ctx, caller, params }) => ({
    replays: await listReplays(ctx, caller, params.endpointId),
  }))

  addRoute(app, deliveryRoutes.startReplay, ({ ctx, caller, params, body }) =>
    startReplay(ctx, caller, params.endpointId, body),
  )
}
