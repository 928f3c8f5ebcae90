// All routes that pages request: dashboard routes, and API routes with a session in place of the key. Pages import only
// the types.
import { API } from './api.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { attachmentDashboardRoutes } from './attachments.ts'
import { exportRoutes } from './exports.ts'
import { homeRoutes } from './home.ts'
import { importRoutes } from './imports.ts'
import { openedInvitationRoutes } from './invitations.ts'
import { liveRoutes } from './live.ts'
import { notificationRoutes } from './notifications.ts'
import { objectDashboardRoutes } from './object-overview.ts'
import { pastedCellRoutes } from './pasted-cells.ts'
import { reminderRoutes } from './reminders.ts'
import { reportDashboardRoutes } from './report-administration.ts'
import type { Route } from './route.ts'
import { entranceRoutes, sessionRoutes } from './session.ts'
import { deliveryRoutes, endpointRoutes, portalEntranceRoutes, portalRoutes } from './webhook-routes.ts'

/** Below /dashboard/api. */
export const VISITOR_TABLES = [entranceRoutes, openedInvitationRoutes, sessionRoutes]

/** Below /portal/api. */
export const PORTAL_TABLES = [portalEntranceRoutes, portalRoutes, endpointRoutes, deliveryRoutes]

/** Below /dashboard/api/organizations/:organization. */
export const ORGANIZATION_TABLES = [
  ...API.map(({ routes }) => routes),
  objectDashboardRoutes,
  exportRoutes,
  attachmentDashboardRoutes,
  homeRoutes,
  notificationRoutes,
  reminderRoutes,
  importRoutes,
  pastedCellRoutes,
  apiKeyRoutes,
  reportDashboardRoutes,
  liveRoutes,
  portalRoutes,
]

type RouteIn<Table> = Table extends unknown ? Table[keyof Table] : never

/** Routes by method and path, such as `GET /members`. */
type ByAddress<R> = { [One in R as One extends Route ? One['at'] : never]: One }

export type VisitorRoutes = ByAddress<RouteIn<(typeof VISITOR_TABLES)[number]>>
export type PortalRoutes = ByAddress<RouteIn<(typeof PORTAL_TABLES)[number]>>
export type OrganizationRoutes = ByAddress<RouteIn<(typeof ORGANIZATION_TABLES)[number]>>
