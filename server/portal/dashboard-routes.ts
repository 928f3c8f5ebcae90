// The way into the portal, and what its pages show of the organization; the dashboard shows the same.
import { Portal, PortalSession, PortalToken } from '../../contract/webhooks.ts'
import type { App } from '../http/request.ts'
import { describePortal, openPortal } from './service.ts'

const BODY_BYTES_MAX = 1024

/** For visitors with a link. */
export function portalEntranceRoutes(app: App): void {
  app.post(
    '/session',
    { bodyLimit: BODY_BYTES_MAX, schema: { body: PortalToken, response: { 200: PortalSession } } },
    ({ ctx, body }) => openPortal(ctx, body.token),
  )
}

export function portalDashboardRoutes(app: App): void {
  app.get(
    '/webhooks/portal',
    { config: { scope: 'webhooks:manage' }, schema: { response: { 200: Portal } } },
    ({ ctx, caller, portalUntil }) => describePortal(ctx, caller, portalUntil ?? null),
  )
}
