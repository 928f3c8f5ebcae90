// What was delivered to endpoints, and delivering it again: the same in the dashboard and in the portal.
import {
  Delivery,
  DeliveryDetail,
  DeliveryId,
  DeliveryList,
  DeliveryQuery,
  EndpointId,
  NewReplay,
  Replay,
  ReplayList,
} from '../../../contract/webhooks.ts'
import type { App } from '../../http/request.ts'
import { listDeliveries } from './listing.ts'
import { listReplays, startReplay } from './replays.ts'
import { getDelivery, replayDelivery } from './service.ts'

const config = { scope: 'webhooks:manage' } as const

function oneDelivery(app: App): void {
  app.get(
    '/webhooks/deliveries/:deliveryId',
    { config, schema: { params: DeliveryId, response: { 200: DeliveryDetail } } },
    ({ ctx, caller, params }) => getDelivery(ctx, caller, params.deliveryId),
  )

  app.post(
    '/webhooks/deliveries/:deliveryId/replay',
    { config, schema: { params: DeliveryId, response: { 202: Delivery } } },
    async ({ ctx, caller, params }, reply) => {
      reply.code(202)
      return replayDelivery(ctx, caller, params.deliveryId)
    },
  )
}

export function deliveryRoutes(app: App): void {
  app.get(
    '/webhooks/endpoints/:endpointId/deliveries',
    { config, schema: { params: EndpointId, querystring: DeliveryQuery, response: { 200: DeliveryList } } },
    ({ ctx, caller, params, query }) => listDeliveries(ctx, caller, params.endpointId, query),
  )

  oneDelivery(app)

  app.get(
    '/webhooks/endpoints/:endpointId/replays',
    { config, schema: { params: EndpointId, response: { 200: ReplayList } } },
    async ({ ctx, caller, params }) => ({ replays: await listReplays(ctx, caller, params.endpointId) }),
  )

  app.post(
    '/webhooks/endpoints/:endpointId/replays',
    { config, schema: { params: EndpointId, body: NewReplay, response: { 202: Replay } } },
    async ({ ctx, caller, params, body }, reply) => {
      reply.code(202)
      return startReplay(ctx, caller, params.endpointId, body)
    },
  )
}
