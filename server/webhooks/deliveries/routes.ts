// Routes for deliveries and replays, in the API, the dashboard and the portal.
import { deliveryRoutes } from '../../../contract/webhook-routes.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { managedHere } from '../managed.ts'
import { listDeliveries } from './listing.ts'
import { listReplays, startReplay } from './replays.ts'
import { getDelivery, replayDelivery } from './service.ts'

function oneDelivery(app: App): void {
  addRoute(app, { ...deliveryRoutes.getDelivery, ...managedHere }, ({ ctx, caller, params }) =>
    getDelivery(ctx, caller, params.deliveryId),
  )

  addRoute(app, { ...deliveryRoutes.replayDelivery, ...managedHere }, ({ ctx, caller, params }) =>
    replayDelivery(ctx, caller, params.deliveryId),
  )
}

export function addDeliveryRoutes(app: App): void {
  addRoute(
    app,
    { ...deliveryRoutes.listDeliveries, ...managedHere, answersSecrets: false, isSearch: true },
    ({ ctx, caller, params, query }) => listDeliveries(ctx, caller, params.endpointId, query),
  )

  oneDelivery(app)

  addRoute(app, { ...deliveryRoutes.listReplays, ...managedHere }, ({ ctx, caller, params, query }) =>
    listReplays(ctx, caller, params.endpointId, query),
  )

  addRoute(app, { ...deliveryRoutes.startReplay, ...managedHere }, ({ ctx, caller, params, body }) =>
    startReplay(ctx, caller, params.endpointId, body),
  )
}
