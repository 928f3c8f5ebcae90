// Every route that pages request: the dashboard's own, and the API's with a session in place of the key. Pages import
// the types alone.
import { activityRoutes } from './activities.ts'
import { apiKeyRoutes } from './api-keys.ts'
import {
  activityAttachmentRoutes,
  attachmentDashboardRoutes,
  pictureRoutes,
  recordAttachmentRoutes,
} from './attachments.ts'
import { attributeDashboardRoutes } from './attribute-administration.ts'
import { attributeRoutes } from './attributes.ts'
import { deletionRoutes } from './deletion.ts'
import { eventRoutes } from './event-bodies.ts'
import { exportRoutes } from './exports.ts'
import { fileRoutes } from './files.ts'
import { homeRoutes } from './home.ts'
import { importRoutes } from './imports.ts'
import { invitationRoutes, openedInvitationRoutes } from './invitations.ts'
import { liveRoutes } from './live.ts'
import { memberDashboardRoutes, memberRoutes } from './members.ts'
import { objectDashboardRoutes } from './object-overview.ts'
import { objectRoutes } from './objects.ts'
import { recordDashboardRoutes } from './record-dashboard.ts'
import { recordRoutes } from './records.ts'
import { reportDashboardRoutes } from './report-administration.ts'
import { severalReportsRoutes } from './report-dashboards.ts'
import { reportRoutes } from './report-routes.ts'
import type { Route } from './route.ts'
import { searchRoutes } from './search.ts'
import { entranceRoutes, organizationRoutes, sessionRoutes } from './session.ts'
import { viewRoutes } from './views.ts'
import {
  deliveryRoutes,
  endpointRoutes,
  portalEntranceRoutes,
  portalRoutes,
  webhookRoutes,
} from './webhook-routes.ts'
import { workflowDashboardRoutes } from './workflow-dashboard-routes.ts'
import { workflowRoutes } from './workflow-routes.ts'

/** Below /dashboard/api. */
export const VISITOR_TABLES = [entranceRoutes, openedInvitationRoutes, sessionRoutes]

/** Below /portal/api. */
export const PORTAL_TABLES = [portalEntranceRoutes, portalRoutes, endpointRoutes, deliveryRoutes]

/** Below /dashboard/api/organizations/:organization. */
export const ORGANIZATION_TABLES = [
  objectRoutes,
  objectDashboardRoutes,
  attributeRoutes,
  attributeDashboardRoutes,
  recordRoutes,
  recordDashboardRoutes,
  exportRoutes,
  viewRoutes,
  searchRoutes,
  pictureRoutes,
  recordAttachmentRoutes,
  activityAttachmentRoutes,
  attachmentDashboardRoutes,
  activityRoutes,
  homeRoutes,
  deletionRoutes,
  importRoutes,
  organizationRoutes,
  memberRoutes,
  memberDashboardRoutes,
  invitationRoutes,
  apiKeyRoutes,
  reportRoutes,
  reportDashboardRoutes,
  severalReportsRoutes,
  workflowRoutes,
  workflowDashboardRoutes,
  fileRoutes,
  webhookRoutes,
  eventRoutes,
  liveRoutes,
  portalRoutes,
  endpointRoutes,
  deliveryRoutes,
]

type RouteIn<Table> = Table extends unknown ? Table[keyof Table] : never

/** Under `GET /members`. */
type ByAddress<R> = { [One in R as One extends Route ? `${One['method']} ${One['path']}` : never]: One }

export type VisitorRoutes = ByAddress<RouteIn<(typeof VISITOR_TABLES)[number]>>
export type PortalRoutes = ByAddress<RouteIn<(typeof PORTAL_TABLES)[number]>>
export type OrganizationRoutes = ByAddress<RouteIn<(typeof ORGANIZATION_TABLES)[number]>>
