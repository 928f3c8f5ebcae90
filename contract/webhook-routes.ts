// Webhook routes: of the API, and the routes that the dashboard and the management portal share.
import { Deleted } from './common.ts'
import { EVENT_TYPES } from './events.ts'
import { exampleDeleted, exampleId, examplePage, exampleTimes, exampleWhole } from './example-values.ts'
import { WholeListQuery } from './paging.ts'
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
  ReplayQuery,
  TestSend,
  Webhooks,
} from './webhooks.ts'

/** Schemas by their names in the API document. */
export const webhookSchemas = {
  Webhooks,
  Catalogue,
  Endpoint,
  EndpointList,
  NewEndpoint,
  EndpointPatch,
  EndpointSecret,
  TestSend,
  Delivery,
  DeliveryList,
  DeliveryDetail,
  NewReplay,
  Replay,
  ReplayList,
}

export const webhookRoutes = {
  getWebhooks: {
    at: 'GET /webhooks',
    scope: 'webhooks:manage',
    summary: 'Get the management portal and the event types',
    description:
      'Each call returns a new `portalUrl`, which can be opened for one hour. A portal session lasts 8 hours, but no longer than the API key is valid. In the portal, users add and test endpoints, and replay deliveries.',
    response: { 200: Webhooks },
    example: {
      response: {
        portalUrl: 'https://crm.example.com/portal#token=q1Zk0Yw7vJm2Xc9Rb5Vn1Lp6Hd4Gf0SyAk3J9xTq7Wm',
        eventTypes: Object.entries(EVENT_TYPES).map(([name, description]) => ({ name, description })),
      },
    },
  },
} satisfies ApiRoutes

const exampleEndpoint = {
  id: exampleId(15),
  url: 'https://hooks.example.com/crm',
  description: 'Billing',
  eventTypes: ['record.created', 'record.updated'],
  objectIds: [exampleId(4)],
  changedAttributes: null,
  headers: [],
  rateLimit: null,
  areSecretsReadable: true,
  isEnabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  waiting: 0,
  stats: {
    hours: [{ hour: '2026-11-20T10:00:00.000Z', succeeded: 12, failed: 0, medianMs: 50 }],
    succeeded: 12,
    failed: 0,
    successRate: 1,
    medianMs: 50,
    p95Ms: 100,
  },
  ...exampleTimes,
}

const exampleDelivery = {
  id: `dlv_${'A'.repeat(43)}`,
  endpointId: exampleEndpoint.id,
  eventId: exampleId(10),
  eventType: 'record.updated',
  state: 'succeeded',
  trigger: 'event',
  attempts: 1,
  createdAt: exampleTimes.createdAt,
  lastAttemptAt: exampleTimes.createdAt,
  lastStatus: 200,
  lastFailure: null,
  lastDurationMs: 48,
  nextAttemptAt: null,
  giveUpAt: '2026-11-23T10:00:00.000Z',
} as const

const exampleDetail = {
  ...exampleDelivery,
  endpointUrl: exampleEndpoint.url,
  body: '{"type":"record.updated"}',
  attemptList: [],
}

const exampleReplay = {
  id: exampleId(16),
  kind: 'failed',
  since: '2026-11-20T00:00:00.000Z',
  until: '2026-11-20T10:00:00.000Z',
  state: 'running',
  replayed: 40,
  createdAt: exampleTimes.createdAt,
  finishedAt: null,
} as const

export const endpointRoutes = {
  listCatalogue: {
    at: 'GET /webhooks/catalogue',
    scope: 'webhooks:manage',
    summary: 'Describe the event types',
    description: 'Includes the JSON Schema of the body of each event type, and an example.',
    response: { 200: Catalogue },
    example: {
      response: {
        eventTypes: [
          {
            name: 'record.created',
            description: EVENT_TYPES['record.created'],
            schema: { title: 'record.created' },
            example: '{}',
          },
        ],
      },
    },
  },
  listEndpoints: {
    at: 'GET /webhooks/endpoints',
    scope: 'webhooks:manage',
    summary: 'List endpoints',
    description: 'Includes the attempts of the last 24 hours.',
    query: WholeListQuery,
    response: { 200: EndpointList },
    errors: ['managed_by_svix'],
    example: { response: { endpoints: [exampleEndpoint], pagination: exampleWhole } },
  },
  createEndpoint: {
    at: 'POST /webhooks/endpoints',
    scope: 'webhooks:manage',
    summary: 'Create an endpoint',
    description:
      'Without filters the endpoint gets all event types, except types that are off by default. To read its secret, use Get the signing secret of an endpoint.',
    body: NewEndpoint,
    response: { 201: Endpoint },
    errors: ['limit_reached', 'managed_by_svix'],
    example: {
      body: { url: exampleEndpoint.url, description: 'Billing', eventTypes: exampleEndpoint.eventTypes },
      response: exampleEndpoint,
    },
  },
  getEndpoint: {
    at: 'GET /webhooks/endpoints/:endpointId',
    scope: 'webhooks:manage',
    summary: 'Get an endpoint',
    response: { 200: Endpoint },
    errors: ['managed_by_svix'],
    example: { response: exampleEndpoint },
  },
  updateEndpoint: {
    at: 'PATCH /webhooks/endpoints/:endpointId',
    scope: 'webhooks:manage',
    summary: 'Update an endpoint',
    description: '`isEnabled` disables and enables the endpoint; deliveries wait while it is disabled.',
    body: EndpointPatch,
    response: { 200: Endpoint },
    errors: ['managed_by_svix', 'precondition_failed'],
    example: { body: { isEnabled: true }, response: exampleEndpoint },
  },
  deleteEndpoint: {
    at: 'DELETE /webhooks/endpoints/:endpointId',
    scope: 'webhooks:manage',
    summary: 'Delete an endpoint',
    description: 'The deliveries of the endpoint are also deleted.',
    response: { 200: Deleted },
    errors: ['managed_by_svix', 'precondition_failed'],
    example: { response: exampleDeleted },
  },
  getEndpointSecret: {
    at: 'GET /webhooks/endpoints/:endpointId/secret',
    scope: 'webhooks:manage',
    summary: 'Get the signing secret of an endpoint',
    response: { 200: EndpointSecret },
    errors: ['managed_by_svix', 'unreadable_secret'],
    example: { response: { secret: 'whsec_…', previousUntil: null } },
  },
  rotateEndpointSecret: {
    at: 'POST /webhooks/endpoints/:endpointId/secret/rotate',
    scope: 'webhooks:manage',
    summary: 'Rotate the signing secret of an endpoint',
    description: 'For 24 hours deliveries are signed with both secrets.',
    response: { 200: EndpointSecret },
    errors: ['managed_by_svix'],
    example: { response: { secret: 'whsec_…', previousUntil: '2026-11-21T10:00:00.000Z' } },
  },
  sendTest: {
    at: 'POST /webhooks/endpoints/:endpointId/test',
    scope: 'webhooks:manage',
    summary: 'Send a test event to an endpoint',
    description: 'Returns when the endpoint has responded, or after 15 seconds.',
    body: TestSend,
    response: { 200: DeliveryDetail },
    errors: ['managed_by_svix'],
    example: { body: { type: 'record.updated' }, response: { ...exampleDetail, trigger: 'test' } },
  },
} satisfies ApiRoutes

export const deliveryRoutes = {
  listDeliveries: {
    at: 'GET /webhooks/endpoints/:endpointId/deliveries',
    scope: 'webhooks:manage',
    summary: 'List the deliveries of an endpoint',
    description: 'Newest event first. Deliveries are kept as long as events, for 30 days by default.',
    query: DeliveryQuery,
    response: { 200: DeliveryList },
    errors: ['managed_by_svix', 'query_too_expensive'],
    example: { response: { deliveries: [exampleDelivery], pagination: examplePage } },
  },
  getDelivery: {
    at: 'GET /webhooks/deliveries/:deliveryId',
    scope: 'webhooks:manage',
    summary: 'Get a delivery with its attempts',
    description: 'Returns the exact body that was signed, and the request and response of each attempt.',
    response: { 200: DeliveryDetail },
    errors: ['managed_by_svix'],
    example: { response: exampleDetail },
  },
  replayDelivery: {
    at: 'POST /webhooks/deliveries/:deliveryId/replay',
    scope: 'webhooks:manage',
    summary: 'Deliver again',
    description: 'Starts the delivery again, whether it succeeded or failed. A test cannot be replayed.',
    response: { 202: Delivery },
    errors: ['endpoint_disabled', 'wrong_state', 'managed_by_svix'],
    example: { response: { ...exampleDelivery, state: 'pending', trigger: 'replay' } },
  },
  listReplays: {
    at: 'GET /webhooks/endpoints/:endpointId/replays',
    scope: 'webhooks:manage',
    summary: 'List the replays of an endpoint',
    description: 'Newest first.',
    query: ReplayQuery,
    response: { 200: ReplayList },
    errors: ['managed_by_svix'],
    example: { response: { replays: [exampleReplay], pagination: examplePage } },
  },
  startReplay: {
    at: 'POST /webhooks/endpoints/:endpointId/replays',
    scope: 'webhooks:manage',
    summary: 'Deliver many events again',
    description:
      '`failed`: deliveries of the period that failed or were cancelled. `missing`: events of the period that match the current filters of the endpoint and have no delivery to it.',
    body: NewReplay,
    response: { 202: Replay },
    errors: ['endpoint_disabled', 'managed_by_svix'],
    example: { body: { kind: 'failed', since: exampleReplay.since }, response: exampleReplay },
  },
} satisfies ApiRoutes

export const portalEntranceRoutes = {
  openPortal: { at: 'POST /session', body: PortalToken, response: { 200: PortalSession } },
} satisfies DashboardRoutes

export const portalRoutes = {
  getPortal: { at: 'GET /webhooks/portal', scope: 'webhooks:manage', response: { 200: Portal } },
} satisfies DashboardRoutes
