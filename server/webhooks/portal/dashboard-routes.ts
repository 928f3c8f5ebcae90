// Routes that open the portal, and that describe the organization to the portal and the dashboard.
import { portalEntranceRoutes, portalRoutes } from '../../../contract/webhook-routes.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { describePortal, openPortal } from './service.ts'

const BODY_BYTES_MAX = 1024

/** Routes for visitors with a link. */
export function addPortalEntranceRoutes(app: App): void {
  addRoute(app, { ...portalEntranceRoutes.openPortal, bodyLimit: BODY_BYTES_MAX }, ({ ctx, body }) =>
    openPortal(ctx, body.token),
  )
}

export function addPortalDashboardRoutes(app: App): void {
  addRoute(app, portalRoutes.getPortal, ({ ctx, caller, portalUntil }) =>
    describePortal(ctx, caller, portalUntil ?? null),
  )
}
