// Routes for webhook endpoints, in the API, the dashboard and the portal.
import { endpointRoutes } from '../../../contract/webhook-routes.ts'
import { addRoute } from '../../http/add-route.ts'
import { withEtag } from '../../http/etag.ts'
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
    return pageOfWhole('endpoints', all, query, ['endpoints', caller.org])
  })

  addRoute(app, { ...endpointRoutes.createEndpoint, ...managedHere }, async ({ ctx, caller, body }, reply) =>
    withEtag(reply, endpointEtag, await createEndpoint(ctx, caller, body)),
  )
}

function oneRoutes(app: App): void {
  addRoute(app, { ...endpointRoutes.getEndpoint, ...managedHere }, async ({ ctx, caller, params }, reply) =>
    withEtag(reply, endpointEtag, await readEndpoint(ctx, caller.org, params.endpointId)),
  )

  addRoute(
    app,
    { ...endpointRoutes.updateEndpoint, ...managedHere },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const change = { ...params, ifMatch: headers['if-match'], patch: body }
      return withEtag(reply, endpointEtag, await patchEndpoint(ctx, caller.org, change))
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
