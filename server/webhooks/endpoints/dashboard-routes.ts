// Webhook endpoints, as the dashboard and the portal manage them.
import { Deleted } from '../../../contract/common.ts'
import {
  Catalogue,
  DeliveryDetail,
  Endpoint,
  EndpointId,
  EndpointList,
  EndpointPatch,
  EndpointSecret,
  NewEndpoint,
  TestSend,
} from '../../../contract/webhooks.ts'
import type { App } from '../../http/request.ts'
import { catalogueOf } from './catalogue.ts'
import { listEndpoints, readEndpoint } from './reading.ts'
import { createEndpoint, deleteEndpoint, patchEndpoint, readSecret, rotateSecret } from './service.ts'
import { sendTest } from './test-send.ts'

const config = { scope: 'webhooks:manage' } as const

function manyRoutes(app: App): void {
  app.get(
    '/webhooks/catalogue',
    { config, schema: { response: { 200: Catalogue } } },
    async ({ caller }) => ({
      eventTypes: catalogueOf(caller.orgId),
    }),
  )

  app.get(
    '/webhooks/endpoints',
    { config, schema: { response: { 200: EndpointList } } },
    async ({ ctx, caller }) => ({ endpoints: await listEndpoints(ctx, caller.org) }),
  )

  app.post(
    '/webhooks/endpoints',
    { config, schema: { body: NewEndpoint, response: { 201: Endpoint } } },
    async ({ ctx, caller, body }, reply) => {
      reply.code(201)
      return createEndpoint(ctx, caller, body)
    },
  )
}

function oneRoutes(app: App): void {
  app.get(
    '/webhooks/endpoints/:endpointId',
    { config, schema: { params: EndpointId, response: { 200: Endpoint } } },
    ({ ctx, caller, params }) => readEndpoint(ctx, caller.org, params.endpointId),
  )

  app.patch(
    '/webhooks/endpoints/:endpointId',
    { config, schema: { params: EndpointId, body: EndpointPatch, response: { 200: Endpoint } } },
    ({ ctx, caller, params, body }) => patchEndpoint(ctx, caller.org, { ...params, patch: body }),
  )

  app.delete(
    '/webhooks/endpoints/:endpointId',
    { config, schema: { params: EndpointId, response: { 200: Deleted } } },
    async ({ ctx, caller, params }) => ({
      id: await deleteEndpoint(ctx, caller.org, params.endpointId),
      deleted: true as const,
    }),
  )
}

function secretRoutes(app: App): void {
  app.get(
    '/webhooks/endpoints/:endpointId/secret',
    { config, schema: { params: EndpointId, response: { 200: EndpointSecret } } },
    ({ ctx, caller, params }) => readSecret(ctx, caller.org, params.endpointId),
  )

  app.post(
    '/webhooks/endpoints/:endpointId/secret/rotate',
    { config, schema: { params: EndpointId, response: { 200: EndpointSecret } } },
    ({ ctx, caller, params }) => rotateSecret(ctx, caller.org, params.endpointId),
  )

  app.post(
    '/webhooks/endpoints/:endpointId/test',
    { config, schema: { params: EndpointId, body: TestSend, response: { 200: DeliveryDetail } } },
    ({ ctx, caller, params, body }) => sendTest(ctx, caller, { ...params, type: body.type }),
  )
}

/** Uses no more of a request than its caller and context: registered for the portal too. */
export function endpointRoutes(app: App): void {
  manyRoutes(app)
  oneRoutes(app)
  secretRoutes(app)
}
