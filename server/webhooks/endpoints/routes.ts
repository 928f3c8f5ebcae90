// Routes for webhook endpoints, in the API, the dashboard and the portal.
import { endpointRoutes } from '../../../contract/webhook-routes.ts'
import { addRoute } from '../../http/add-route.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App } from '../../http/request.ts'
import { catalogueOf } from '../examples.ts'
import { managedHere } from '../managed.ts'
import { listEndpoints, readEndpoint } from './reading.ts'
import { createEndpoint, deleteEndpoint, patchEndpoint, readSecret, rotateSecret } from './service.ts'
import { endpointEtag } from './store.ts'
import { sendTest } from './test-send.ts'

function manyRoutes(app: App): void {
  addRoute(
    app,
    { ...endpointRoutes.listCatalogue, ...managedHere, answersSecrets: false },
    async ({ caller }) => ({ eventTypes: catalogueOf(caller.orgId) }),
  )

  addRoute(app, { ...endpointRoutes.listEndpoints, ...managedHere }, async ({ ctx, caller, query }) => {
    const all = await listEndpoints(ctx, caller.org)
    const { rows: endpoints, pagination } = pageOfWhole(all, query, ['endpoints', caller.org])
    return { endpoints, pagination }
  })

  addRoute(
    app,
    { ...endpointRoutes.createEndpoint, ...managedHere },
    async ({ ctx, caller, body }, reply) => {
      const endpoint = await createEndpoint(ctx, caller, body)
      reply.header('etag', endpointEtag(endpoint))
      return endpoint
    },
  )
}

function oneRoutes(app: App): void {
  addRoute(app, { ...endpointRoutes.getEndpoint, ...managedHere }, async ({ ctx, caller, params }, reply) => {
    const endpoint = await readEndpoint(ctx, caller.org, params.endpointId)
    reply.header('etag', endpointEtag(endpoint))
    return endpoint
  })

  addRoute(
    app,
    { ...endpointRoutes.updateEndpoint, ...managedHere },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const change = { ...params, ifMatch: headers['if-match'], patch: body }
      const endpoint = await patchEndpoint(ctx, caller.org, change)
      reply.header('etag', endpointEtag(endpoint))
      return endpoint
    },
  )

  addRoute(
    app,
    { ...endpointRoutes.deleteEndpoint, ...managedHere },
    async ({ ctx, caller, params, headers }) => ({
      id: await deleteEndpoint(ctx, caller.org, { ...params, ifMatch: headers['if-match'] }),
      deleted: true as const,
    }),
  )
}

function secretRoutes(app: App): void {
  addRoute(app, { ...endpointRoutes.getEndpointSecret, ...managedHere }, ({ ctx, caller, params }) =>
    readSecret(ctx, caller.org, params.endpointId),
  )

  addRoute(app, { ...endpointRoutes.rotateEndpointSecret, ...managedHere }, ({ ctx, caller, params }) =>
    rotateSecret(ctx, caller.org, params.endpointId),
  )

  addRoute(app, { ...endpointRoutes.sendTest, ...managedHere }, ({ ctx, caller, params, body }) =>
    sendTest(ctx, caller, { ...params, type: body.type }),
  )
}

/** These routes use only the caller and context of a request, so that the portal can register them too. */
export function addEndpointRoutes(app: App): void {
  manyRoutes(app)
  oneRoutes(app)
  secretRoutes(app)
}
