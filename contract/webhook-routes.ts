// Webhooks: the API's one route, and those that the dashboard and the management portal share.
import { Deleted } from './common.ts'
import { EVENT_TYPES } from './events.ts'
import type { ApiRoutes, DashboardRoutes } from './route.ts'
import {
  Catalogue,
  Delivery,
  DeliveryDetail,
  DeliveryList,
  DeliveryQuery,
  Endpoint,
  EndpointList,
  EndpointPatch,
  EndpointSecret,
  NewEndpoint,
  NewReplay,
  Portal,
  PortalSession,
  PortalToken,
  Replay,
  ReplayList,
  TestSend,
  Webhooks,
} from './webhooks.ts'

/** Their names in the API document. */
export const webhookSchemas = { Webhooks }

export const webhookRoutes = {
  getWebhooks: {
    at: 'GET /webhooks',
    scope: 'webhooks:manage',
    summary: 'Get the management portal and the event types',
    description:
      'Each call returns a new `portalUrl`, which can be opened for one hour. A portal session lasts 8 hours, but no longer than the API key is valid. In the portal, endpoints are added and tested and deliveries are replayed.',
    response: { 200: Webhooks },
    example: {
      response: {
        portalUrl: 'https://crm.example.com/portal#token=q1Zk0Yw7vJm2Xc9Rb5Vn1Lp6Hd4Gf0SyAk3J9xTq7Wm',
        eventTypes: Object.entries(EVENT_TYPES).map(([name, description]) => ({ name, description })),
      },
    },
  },
} satisfies ApiRoutes

export const endpointRoutes = {
  listCatalogue: {
    at: 'GET /webhooks/catalogue',
    scope: 'webhooks:manage',
    response: { 200: Catalogue },
  },
  listEndpoints: {
    at: 'GET /webhooks/endpoints',
    scope: 'webhooks:manage',
    response: { 200: EndpointList },
  },
  createEndpoint: {
    at: 'POST /webhooks/endpoints',
    scope: 'webhooks:manage',
    body: NewEndpoint,
    response: { 201: Endpoint },
  },
  getEndpoint: {
    at: 'GET /webhooks/endpoints/:endpointId',
    scope: 'webhooks:manage',
    response: { 200: Endpoint },
  },
  updateEndpoint: {
    at: 'PATCH /webhooks/endpoints/:endpointId',
    scope: 'webhooks:manage',
    body: EndpointPatch,
    response: { 200: Endpoint },
  },
  deleteEndpoint: {
    at: 'DELETE /webhooks/endpoints/:endpointId',
    scope: 'webhooks:manage',
    response: { 200: Deleted },
  },
  getEndpointSecret: {
    at: 'GET /webhooks/endpoints/:endpointId/secret',
    scope: 'webhooks:manage',
    response: { 200: EndpointSecret },
  },
  rotateEndpointSecret: {
    at: 'POST /webhooks/endpoints/:endpointId/secret/rotate',
    scope: 'webhooks:manage',
    response: { 200: EndpointSecret },
  },
  sendTest: {
    at: 'POST /webhooks/endpoints/:endpointId/test',
    scope: 'webhooks:manage',
    body: TestSend,
    response: { 200: DeliveryDetail },
  },
} satisfies DashboardRoutes

export const deliveryRoutes = {
  listDeliveries: {
    at: 'GET /webhooks/deliveries/:deliveryId',
    scope: 'webhooks:manage',
    response: { 200: DeliveryDetail },
  },
  getDelivery: {
    at: 'POST /webhooks/deliveries/:deliveryId/replay',
    scope: 'webhooks:manage',
    response: { 202: Delivery },
  },
  replayDelivery: {
    at: 'GET /webhooks/endpoints/:endpointId/deliveries',
    scope: 'webhooks:manage',
    query: DeliveryQuery,
    response: { 200: DeliveryList },
  },
  listReplays: {
    at: 'GET /webhooks/endpoints/:endpointId/replays',
    scope: 'webhooks:manage',
    response: { 200: ReplayList },
  },
  startReplay: {
    at: 'POST /webhooks/endpoints/:endpointId/replays',
    scope: 'webhooks:manage',
    body: NewReplay,
    response: { 202: Replay },
  },
} satisfies DashboardRoutes

export const portalEntranceRoutes = {
  openPortal: { at: 'POST /session', body: PortalToken, response: { 200: PortalSession } },
} satisfies DashboardRoutes

export const portalRoutes = {
  getPortal: { at: 'GET /webhooks/portal', scope: 'webhooks:manage', response: { 200: Portal } },
} satisfies DashboardRoutes
