// The API of the management portal's pages: the routes for webhooks, with a sign-in by a link.
import type { Context } from '../context.ts'
import { beginRequest } from '../http/begin.ts'
import { limitEntranceBodies } from '../http/entrance.ts'
import { limitAddress, type RateLimits } from '../http/rate-limits.ts'
import type { App } from '../http/request.ts'
import { refuseForeignOrigins } from '../http/session.ts'
import { refuseUnstorable } from '../http/storable.ts'
import { refuseUnknownParameters } from '../http/unknown-names.ts'
import { addDeliveryRoutes } from '../webhooks/deliveries/routes.ts'
import { addEndpointRoutes } from '../webhooks/endpoints/routes.ts'
import { addPortalDashboardRoutes, addPortalEntranceRoutes } from '../webhooks/portal/dashboard-routes.ts'
import { enterPortal, requireWebhooks } from '../webhooks/portal/session.ts'

export function portalApi(app: App, ctx: Context, limits: RateLimits): void {
  app.addHook('onRoute', refuseUnknownParameters)
  app.addHook('onRequest', beginRequest(ctx, 'entrance'))
  app.addHook('onRequest', refuseForeignOrigins)
  app.addHook('preHandler', refuseUnstorable)
  app.register(async (scope) => {
    scope.addHook('onRoute', limitEntranceBodies)
    scope.addHook('onRequest', limitAddress(limits))
    addPortalEntranceRoutes(scope as App)
  })
  app.register(async (scope) => {
    const opened = scope as App
    opened.addHook('onRoute', requireWebhooks)
    opened.addHook('onRequest', enterPortal(limits))
    addPortalDashboardRoutes(opened)
    addEndpointRoutes(opened)
    addDeliveryRoutes(opened)
  })
}
