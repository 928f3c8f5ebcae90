// Webhook endpoints, as the dashboard and the portal manage them.
import { endpointRoutes } from '../../../contract/webhook-routes.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { catalogueOf } from './catalogue.ts'
import { listEndpoints, readEndpoint } from './reading.ts'
import { createEndpoint, deleteEndpoint, patchEndpoint, readSecret, rotateSecret } from './service.ts'
import { sendTest } from './test-send.ts'

function manyRoutes(app: App): void {
  addRoute(app, endpointRoutes.listCatalogue, async ({ caller }) => ({
    eventTypes: catalogueOf(caller.orgId),
  }))

  addRoute(app, endpointRoutes.listEndpoints, async ({ ctx, caller }) => ({
    endpoints: await listEndpoints(ctx, caller.org),
  }))

  addRoute(app, endpointRoutes.createEndpoint, ({ ctx, caller, body }) => createEndpoint(ctx, caller, body))
}

function oneRoutes(app: App): void {
  addRoute(app, endpointRoutes.getEndpoint, ({ ctx, caller, params }) =>
    readEndpoint(ctx, caller.org, params.endpointId),
  )

  addRoute(app, endpointRoutes.updateEndpoint, ({ ctx, caller, params, body }) =>
    patchEndpoint(ctx, caller.org, { ...params, patch: body }),
  )

  addRoute(app, endpointRoutes.deleteEndpoint, async ({ ctx, caller, params }) => ({
    id: await deleteEndpoint(ctx, caller.org, params.endpointId),
    deleted: true as const,
  }))
}

function secretRoutes(app: App): void {
  addRoute(app, endpointRoutes.getEndpointSecret, ({ ctx, caller, params }) =>
    readSecret(ctx, caller.org, params.endpointId),
  )

  addRoute(app, endpointRoutes.rotateEndpointSecret, ({ ctx, caller, params }) =>
    rotateSecret(ctx, caller.org, params.endpointId),
  )

  addRoute(app, endpointRoutes.sendTest, ({ ctx, caller, params, body }) =>
    sendTest(ctx, caller, { ...params, type: body.type }),
  )
}

/** Uses no more of a request than its caller and context: registered for the portal too. */
export function addEndpointRoutes(app: App): void {
  manyRoutes(app)
  oneRoutes(app)
  secretRoutes(app)
}
