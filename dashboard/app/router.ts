// All pages: each feature lists its own. The data of a page is loaded before the page is rendered, its code when the
// page is first opened.
import { createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { activityRoutes } from '../features/activities/routes.ts'
import { homeRoutes } from '../features/home/routes.ts'
import { identityRoutes } from '../features/identity/routes.ts'
import { importRoutes } from '../features/import/routes.ts'
import { inboxRoutes, inboxSettingsRoutes } from '../features/inbox/routes.ts'
import { portalRoutes } from '../features/portal/routes.ts'
import { recordRoutes } from '../features/records/routes.ts'
import { reportRoutes } from '../features/reports/routes.ts'
import { settingsRoutes } from '../features/settings/routes.ts'
import { webhookRoutes } from '../features/webhooks/routes.ts'
import { workflowRoutes, workflowSettingsRoutes } from '../features/workflows/routes.ts'
import { PageError } from '../shared/pages/page-error.tsx'
import { PageNotFound } from '../shared/pages/page-not-found.tsx'
import { object } from '../shared/routing/object-route.ts'
import { organization } from '../shared/routing/organization-route.ts'
import { root } from '../shared/routing/root-route.ts'
import { settings } from '../shared/routing/settings-route.ts'
import { PagePending } from '../ui/page-pending.tsx'

organization.update({
  component: lazyRouteComponent(() => import('./frame/app-frame.tsx'), 'AppFrame'),
})
settings.update({
  component: lazyRouteComponent(() => import('./frame/settings-layout.tsx'), 'SettingsLayout'),
})

const objectPages = object.addChildren([...recordRoutes, ...importRoutes])
const settingsPages = settings.addChildren([
  ...settingsRoutes,
  ...inboxSettingsRoutes,
  ...webhookRoutes,
  ...workflowSettingsRoutes,
])
const organizationPages = organization.addChildren([
  ...homeRoutes,
  ...inboxRoutes,
  ...activityRoutes,
  ...workflowRoutes,
  ...reportRoutes,
  objectPages,
  settingsPages,
])

/** Creates a router that reads and follows the address. */
export const openRouter = () =>
  createRouter({
    routeTree: root.addChildren([...identityRoutes, ...portalRoutes, organizationPages]),
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: PageNotFound,
    defaultPendingComponent: PagePending,
    defaultPendingMs: 250,
    defaultPendingMinMs: 200,
    scrollRestoration: true,
  })

export type AppRouter = ReturnType<typeof openRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
