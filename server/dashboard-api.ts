// What the dashboard calls: the API's own routes with a session in place of the key, and the dashboard's own.
import { activityRoutes } from './activities/routes.ts'
import { attributeDashboardRoutes } from './attributes/dashboard-routes.ts'
import { attributeRoutes } from './attributes/routes.ts'
import type { Context } from './context.ts'
import { deletionDashboardRoutes } from './deletion/dashboard-routes.ts'
import { homeDashboardRoutes } from './home/dashboard-routes.ts'
import type { App } from './http/request.ts'
import { enterOrganization, refuseForeignOrigins, requireRights, requireSession } from './http/session.ts'
import { refuseUnknownParameters } from './http/strict-query.ts'
import { sessionRoutes } from './identity/dashboard-routes.ts'
import { createSessions } from './identity/sessions.ts'
import { memberRoutes } from './members/routes.ts'
import { objectDashboardRoutes } from './objects/dashboard-routes.ts'
import { objectRoutes } from './objects/routes.ts'
import { recordDashboardRoutes } from './records/dashboard-routes.ts'
import { recordRoutes } from './records/routes.ts'
import { searchDashboardRoutes } from './search/dashboard-routes.ts'
import { viewDashboardRoutes } from './views/dashboard-routes.ts'

/** Every route of one organization. */
function organizationResources(app: App): void {
  objectRoutes(app)
  attributeRoutes(app)
  recordRoutes(app)
  activityRoutes(app)
  memberRoutes(app)
  objectDashboardRoutes(app)
  attributeDashboardRoutes(app)
  recordDashboardRoutes(app)
  viewDashboardRoutes(app)
  searchDashboardRoutes(app)
  homeDashboardRoutes(app)
  deletionDashboardRoutes(app)
}

/** Routes under /dashboard/api; those of an organization under /dashboard/api/organizations/<slug>. */
export function dashboardApi(app: App, ctx: Context): void {
  const sessions = createSessions(ctx)
  app.addHook('onRoute', refuseUnknownParameters)
  app.addHook('onRequest', (request, reply, done) => {
    request.ctx = ctx
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  app.addHook('onRequest', refuseForeignOrigins)
  app.register(async (scope) => {
    const signedIn = scope as App
    signedIn.addHook('onRequest', requireSession(sessions))
    sessionRoutes(signedIn)
    signedIn.register(
      async (inner) => {
        const organization = inner as App
        organization.addHook('onRoute', requireRights)
        organization.addHook('onRequest', enterOrganization(sessions))
        organizationResources(organization)
      },
      { prefix: '/organizations/:organization' },
    )
  })
}
