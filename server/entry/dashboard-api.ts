// The API of the dashboard: the routes of the public API, with a sign-in instead of an API key, and further routes.
import type { onSendHookHandler } from 'fastify'
import { addAttachmentDashboardRoutes } from '../attachments/dashboard-routes.ts'
import type { Context } from '../context.ts'
import type { Placement } from '../db/databases.ts'
import { addHomeDashboardRoutes } from '../home/dashboard-routes.ts'
import { beginRequest } from '../http/begin.ts'
import { readEventually } from '../http/consistency.ts'
import { limitEntranceBodies } from '../http/entrance.ts'
import { limitAddress, type RateLimits } from '../http/rate-limits.ts'
import { limitReads } from '../http/read-limit.ts'
import type { App } from '../http/request.ts'
import { enterOrganization, refuseForeignOrigins, requireRights, requireSession } from '../http/session.ts'
import { refuseUnstorable } from '../http/storable.ts'
import { refuseUnknownParameters } from '../http/unknown-names.ts'
import { addApiKeyRoutes } from '../identity/api-keys/dashboard-routes.ts'
import type { KeyLeases } from '../identity/api-keys/service.ts'
import { addEntranceRoutes, addSessionRoutes } from '../identity/dashboard-routes.ts'
import { addOpenedInvitationRoutes } from '../identity/invitations/dashboard-routes.ts'
import { createSessions } from '../identity/sessions.ts'
import { addImportDashboardRoutes } from '../imports/dashboard-routes.ts'
import { addLiveDashboardRoutes } from '../live/dashboard-routes.ts'
import type { LiveHubs } from '../live/service.ts'
import { addObjectDashboardRoutes } from '../model/objects/dashboard-routes.ts'
import { addNotificationRoutes, addReminderRoutes } from '../notifications/dashboard-routes.ts'
import { addImportRunRoutes } from '../record-jobs/import-routes.ts'
import { addExportDashboardRoutes } from '../records/export/dashboard-routes.ts'
import { addReportDashboardRoutes } from '../reports/dashboard-routes.ts'
import { addPortalDashboardRoutes } from '../webhooks/portal/dashboard-routes.ts'
import { addApiRoutes } from './resources.ts'

/** An onSend hook: copies changes of users, members and API keys to the cells before the response is sent. */
const copyIdentity =
  ({ cells }: { cells: Pick<Placement, 'copy'> }): onSendHookHandler =>
  async ({ method }) => {
    if (method !== 'GET') await cells.copy()
  }

function apiKeys(app: App, ctx: Context, leases: KeyLeases): void {
  app.addHook('onSend', copyIdentity(ctx))
  app.addHook('preHandler', refuseUnstorable)
  addApiKeyRoutes(app, leases)
}

function organizationResources(
  app: App,
  ctx: Context,
  { leases, live }: Pick<Admissions, 'leases' | 'live'>,
): void {
  addApiRoutes(app, leases)
  app.register(async (scope) => apiKeys(scope as App, ctx, leases))
  addObjectDashboardRoutes(app)
  addAttachmentDashboardRoutes(app)
  addHomeDashboardRoutes(app)
  addNotificationRoutes(app)
  addReminderRoutes(app)
  addImportDashboardRoutes(app)
  addImportRunRoutes(app)
  addExportDashboardRoutes(app)
  addReportDashboardRoutes(app)
  addLiveDashboardRoutes(app, live)
  addPortalDashboardRoutes(app)
}

interface Admissions {
  leases: KeyLeases
  limits: RateLimits
  live: LiveHubs
}

/** Routes under /dashboard/api; those of an organization under /dashboard/api/organizations/<slug>. */
export function dashboardApi(app: App, ctx: Context, admissions: Admissions): void {
  const { limits } = admissions
  const sessions = createSessions(ctx)
  app.addHook('onRoute', limitReads)
  app.addHook('onRoute', readEventually)
  app.addHook('onRoute', refuseUnknownParameters)
  app.addHook('onRequest', beginRequest(ctx, 'entrance'))
  app.addHook('onRequest', refuseForeignOrigins)
  app.register(async (scope) => {
    const open = scope as App
    open.addHook('onRoute', limitEntranceBodies)
    open.addHook('onRequest', limitAddress(limits))
    open.addHook('onSend', copyIdentity(ctx))
    open.addHook('preHandler', refuseUnstorable)
    addEntranceRoutes(open, sessions)
    addOpenedInvitationRoutes(open, sessions)
  })
  app.register(async (scope) => {
    const signedIn = scope as App
    signedIn.addHook('onRequest', requireSession(sessions, limits))
    signedIn.register(async (own) => {
      own.addHook('preHandler', refuseUnstorable)
      own.addHook('onSend', copyIdentity(ctx))
      addSessionRoutes(own as App)
    })
    signedIn.register(
      async (inner) => {
        const organization = inner as App
        organization.addHook('onRoute', requireRights)
        organization.addHook('onRequest', enterOrganization(sessions, limits))
        organizationResources(organization, ctx, admissions)
      },
      { prefix: '/organizations/:organization' },
    )
  })
}
