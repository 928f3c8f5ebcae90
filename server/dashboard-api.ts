// What the dashboard calls: the API's own routes with a session in place of the key, and the dashboard's own.
import { activityRoutes } from './activities/routes.ts'
import { apiKeyRoutes } from './api-keys/dashboard-routes.ts'
import { type KeyLeases, refuseDeletedKeys } from './api-keys/service.ts'
import { attachmentDashboardRoutes } from './attachments/dashboard-routes.ts'
import { pictureRoutes } from './attachments/routes.ts'
import { attributeDashboardRoutes } from './attributes/dashboard-routes.ts'
import { attributeRoutes } from './attributes/routes.ts'
import type { Context } from './context.ts'
import { deletionDashboardRoutes } from './deletion/dashboard-routes.ts'
import { fileRoutes } from './files/routes.ts'
import { homeDashboardRoutes } from './home/dashboard-routes.ts'
import { begin } from './http/begin.ts'
import { limitEntranceBodies } from './http/entrance.ts'
import { limitAddress, type RateLimits } from './http/rate-limits.ts'
import { limitReads } from './http/read-limit.ts'
import type { App } from './http/request.ts'
import { enterOrganization, refuseForeignOrigins, requireRights, requireSession } from './http/session.ts'
import { refuseUnstorable } from './http/storable.ts'
import { refuseUnknownParameters } from './http/strict-query.ts'
import { entranceRoutes, organizationRoutes, sessionRoutes } from './identity/dashboard-routes.ts'
import { createSessions } from './identity/sessions.ts'
import { importDashboardRoutes } from './imports/dashboard-routes.ts'
import { invitationRoutes, openedInvitationRoutes } from './invitations/dashboard-routes.ts'
import { liveDashboardRoutes } from './live/dashboard-routes.ts'
import type { LiveHub } from './live/hub.ts'
import { memberDashboardRoutes } from './members/dashboard-routes.ts'
import { memberRoutes } from './members/routes.ts'
import { objectDashboardRoutes } from './objects/dashboard-routes.ts'
import { objectRoutes } from './objects/routes.ts'
import { webhookManagement } from './portal-api.ts'
import { recordDashboardRoutes } from './records/dashboard-routes.ts'
import { exportDashboardRoutes } from './records/export/dashboard-routes.ts'
import { recordRoutes } from './records/routes.ts'
import { reportDashboardRoutes } from './reports/dashboard-routes.ts'
import { severalReportsRoutes } from './reports/dashboards/dashboard-routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { searchDashboardRoutes } from './search/dashboard-routes.ts'
import { viewDashboardRoutes } from './views/dashboard-routes.ts'
import { eventFeedRoutes } from './webhooks/feed/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { workflowDashboardRoutes } from './workflows/dashboard-routes.ts'
import { workflowRoutes } from './workflows/routes.ts'

/** Who belongs to an organization, and what it is. */
function administration(app: App, leases: KeyLeases): void {
  app.addHook('preHandler', refuseUnstorable)
  organizationRoutes(app)
  memberDashboardRoutes(app, (keyIds) => refuseDeletedKeys(leases, keyIds))
  invitationRoutes(app)
  apiKeyRoutes(app, leases)
}

/** Every route of one organization. */
function organizationResources(app: App, { leases, live }: Pick<Admissions, 'leases' | 'live'>): void {
  objectRoutes(app)
  attributeRoutes(app)
  recordRoutes(app)
  pictureRoutes(app)
  activityRoutes(app)
  memberRoutes(app)
  reportRoutes(app)
  workflowRoutes(app)
  fileRoutes(app)
  webhookRoutes(app)
  eventFeedRoutes(app)
  app.register(async (scope) => administration(scope as App, leases))
  objectDashboardRoutes(app)
  attributeDashboardRoutes(app)
  recordDashboardRoutes(app)
  attachmentDashboardRoutes(app)
  viewDashboardRoutes(app)
  searchDashboardRoutes(app)
  homeDashboardRoutes(app)
  deletionDashboardRoutes(app)
  importDashboardRoutes(app)
  exportDashboardRoutes(app)
  reportDashboardRoutes(app)
  severalReportsRoutes(app)
  workflowDashboardRoutes(app)
  liveDashboardRoutes(app, live)
  app.register(async (scope) => {
    scope.addHook('preHandler', refuseUnstorable)
    webhookManagement(scope as App)
  })
}

interface Admissions {
  leases: KeyLeases
  limits: RateLimits
  live: LiveHub
}

/** Routes under /dashboard/api; those of an organization under /dashboard/api/organizations/<slug>. */
export function dashboardApi(app: App, ctx: Context, admissions: Admissions): void {
  const { limits } = admissions
  const sessions = createSessions(ctx)
  app.addHook('onRoute', limitReads)
  app.addHook('onRoute', refuseUnknownParameters)
  app.addHook('onRequest', begin(ctx))
  app.addHook('onRequest', refuseForeignOrigins)
  app.register(async (scope) => {
    const open = scope as App
    open.addHook('onRoute', limitEntranceBodies)
    open.addHook('onRequest', limitAddress(limits))
    open.addHook('preHandler', refuseUnstorable)
    entranceRoutes(open, sessions)
    openedInvitationRoutes(open, sessions)
  })
  app.register(async (scope) => {
    const signedIn = scope as App
    signedIn.addHook('onRequest', requireSession(sessions, limits))
    signedIn.register(async (own) => {
      own.addHook('preHandler', refuseUnstorable)
      sessionRoutes(own as App)
    })
    signedIn.register(
      async (inner) => {
        const organization = inner as App
        organization.addHook('onRoute', requireRights)
        organization.addHook('onRequest', enterOrganization(sessions, limits))
        organizationResources(organization, admissions)
      },
      { prefix: '/organizations/:organization' },
    )
  })
}
