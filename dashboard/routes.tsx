// The whole list of pages. What a page shows is loaded before it is drawn; its code, when it is first opened.
import { createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { isAtLeast } from '../contract/roles.ts'
import { apiKeysQuery } from './api/api-keys.ts'
import { attributesQuery } from './api/attributes.ts'
import { homeQuery } from './api/home.ts'
import { devicesQuery, installationQuery, openedInvitationQuery } from './api/identity.ts'
import { importQuery, importsQuery } from './api/imports.ts'
import { invitationsQuery, membersQuery } from './api/members.ts'
import { allObjectsQuery, objectDeletionQuery } from './api/object-administration.ts'
import { objectQuery } from './api/objects.ts'
import { organizationQuery } from './api/organization.ts'
import { queryClient } from './api/query-client.ts'
import { recordQuery } from './api/records.ts'
import { preferredOrganization, sessionQuery } from './api/session.ts'
import { dashboardSpace } from './api/webhook-space.ts'
import { catalogueQuery, portalQuery } from './api/webhooks.ts'
import { secretsQuery } from './api/workflows.ts'
import { alone } from './components/page-alone.tsx'
import { PageError } from './components/page-error.tsx'
import { PageNotFound } from './components/page-not-found.tsx'
import { PagePending } from './components/page-pending.tsx'
import { validEndpointSearch, validEndpointsSearch } from './components/webhooks/endpoint-search.ts'
import { loadEndpoint, loadEndpoints, unlessManagedBySvix } from './components/webhooks/load-endpoints.ts'
import { organization, toSignIn } from './organization-route.ts'
import { validActivitySearch } from './pages/activities/activity-search.ts'
import { SignInPage } from './pages/identity/sign-in-page.tsx'
import { validImportSearch } from './pages/import/steps.ts'
import { loadRecords } from './pages/records/load-records.ts'
import { validPageSearch } from './pages/records/page-search.ts'
import { cataloguePage, endpointPage, endpointsPage } from './pages/webhooks/lazy-pages.ts'
import { paths } from './paths.ts'
import { portalPages } from './portal-routes.ts'
import { reportBuilderPages } from './report-builder-routes.ts'
import { reportDashboardPages } from './report-dashboard-routes.ts'
import { reportPages } from './report-routes.ts'
import { root } from './root-route.ts'
import { panelSearch } from './ui/use-panel.ts'
import { workflowPages } from './workflow-routes.ts'

const index = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/',
  loader: async () => {
    const session = await queryClient.ensureQueryData(sessionQuery())
    if (!session) throw toSignIn('/')
    const organization = preferredOrganization(session)
    throw redirect({ to: organization ? paths.home(organization.slug) : '/new-organization', replace: true })
  },
})

/** Where a page that was left for signing in is gone back to. */
const fromSearch = ({ from }: { from?: unknown }) => (typeof from === 'string' ? { from } : {})

const signIn = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/sign-in',
  validateSearch: fromSearch,
  // The first thing most people see: in the first script, and shown before anything is answered.
  loader: () => void queryClient.prefetchQuery(installationQuery()),
  component: SignInPage,
})

const signUp = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/sign-up',
  loader: () => queryClient.ensureQueryData(installationQuery()),
  component: lazyRouteComponent(() => import('./pages/identity/sign-up-page.tsx'), 'SignUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/forgot-password',
  loader: () => queryClient.ensureQueryData(installationQuery()),
  component: lazyRouteComponent(
    () => import('./pages/identity/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/reset-password',
  validateSearch: ({ token }: { token?: unknown }) => (typeof token === 'string' ? { token } : {}),
  component: lazyRouteComponent(
    () => import('./pages/identity/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
})

const verifyEmail = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/verify-email',
  validateSearch: ({ token }: { token?: unknown }) => (typeof token === 'string' ? { token } : {}),
  component: lazyRouteComponent(() => import('./pages/identity/verify-email-page.tsx'), 'VerifyEmailPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/invitation/$token',
  loader: ({ params }) =>
    Promise.all([
      queryClient.ensureQueryData(sessionQuery()),
      queryClient.ensureQueryData(openedInvitationQuery(params.token)),
    ]),
  component: lazyRouteComponent(() => import('./pages/identity/invitation-page.tsx'), 'InvitationPage'),
})

const newOrganization = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/new-organization',
  loader: async () => {
    if (!(await queryClient.ensureQueryData(sessionQuery()))) throw toSignIn('/new-organization')
    await queryClient.ensureQueryData(installationQuery())
  },
  component: lazyRouteComponent(
    () => import('./pages/identity/new-organization-page.tsx'),
    'NewOrganizationPage',
  ),
})

const home = createRoute({
  getParentRoute: () => organization,
  path: '/',
  loader: ({ params }) => queryClient.ensureQueryData({ ...homeQuery(params.org), revalidateIfStale: true }),
  component: lazyRouteComponent(() => import('./pages/home/home-page.tsx'), 'HomePage'),
})

const activities = createRoute({
  getParentRoute: () => organization,
  path: '/activities',
  validateSearch: validActivitySearch,
  component: lazyRouteComponent(() => import('./pages/activities/activities-page.tsx'), 'ActivitiesPage'),
})

const object = createRoute({
  getParentRoute: () => organization,
  path: '/objects/$object',
  loader: ({ params }) => queryClient.ensureQueryData(objectQuery(params.org, params.object)),
  component: Outlet,
})

const records = createRoute({
  getParentRoute: () => object,
  path: '/',
  validateSearch: validPageSearch,
  loader: ({ params, location }) =>
    loadRecords(params.org, params.object, validPageSearch(location.search as Record<string, unknown>)),
  component: lazyRouteComponent(() => import('./pages/records/records-page.tsx'), 'RecordsPage'),
})

const importRecords = createRoute({
  getParentRoute: () => object,
  path: '/import',
  validateSearch: validImportSearch,
  loaderDeps: ({ search }) => ({ id: search.import }),
  loader: ({ params: { org, object }, deps: { id } }) =>
    id === undefined
      ? queryClient.ensureQueryData(importsQuery(org, object))
      : queryClient.ensureQueryData(importQuery(org, id)),
  component: lazyRouteComponent(() => import('./pages/import/import-page.tsx'), 'ImportPage'),
})

/** The activity that is open in the side panel. */
const activityInSearch = ({ activity }: { activity?: unknown }) =>
  typeof activity === 'string' ? { activity } : {}

const record = createRoute({
  getParentRoute: () => object,
  path: '/$record',
  validateSearch: activityInSearch,
  loader: ({ params }) =>
    queryClient.ensureQueryData({
      ...recordQuery(params.org, params.object, params.record),
      revalidateIfStale: true,
    }),
  errorComponent: lazyRouteComponent(() => import('./pages/record/record-error.tsx'), 'RecordError'),
  component: lazyRouteComponent(() => import('./pages/record/record-page.tsx'), 'RecordPage'),
})

/** What only owners and admins may ask for is not asked for in vain. */
async function mayAdminister(org: string): Promise<boolean> {
  const session = await queryClient.ensureQueryData(sessionQuery())
  const role = session?.organizations.find(({ slug }) => slug === org)?.role
  return role !== undefined && isAtLeast(role, 'admin')
}

const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-layout.tsx'), 'SettingsLayout'),
})

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  loader: ({ params }) => {
    throw redirect({ to: paths.profile(params.org), replace: true })
  },
})

const settingsObjects = createRoute({
  getParentRoute: () => settings,
  path: '/objects',
  validateSearch: panelSearch,
  loader: ({ params }) => queryClient.ensureQueryData(allObjectsQuery(params.org)),
  component: lazyRouteComponent(() => import('./pages/settings/objects-page.tsx'), 'ObjectsPage'),
})

const settingsObject = createRoute({
  getParentRoute: () => settings,
  path: '/objects/$object',
  validateSearch: panelSearch,
  loader: async ({ params: { org, object } }) => {
    await Promise.all([
      queryClient.ensureQueryData(allObjectsQuery(org)),
      queryClient.ensureQueryData(attributesQuery(org, object)),
    ])
    if (await mayAdminister(org)) await queryClient.ensureQueryData(objectDeletionQuery(org, object))
  },
  component: lazyRouteComponent(() => import('./pages/settings/object-page.tsx'), 'ObjectPage'),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  validateSearch: panelSearch,
  loader: async ({ params }) => {
    await queryClient.ensureQueryData(membersQuery(params.org))
    if (await mayAdminister(params.org)) await queryClient.ensureQueryData(invitationsQuery(params.org))
  },
  component: lazyRouteComponent(() => import('./pages/settings/members-page.tsx'), 'MembersPage'),
})

const organizationSettings = createRoute({
  getParentRoute: () => settings,
  path: '/organization',
  loader: ({ params }) => queryClient.ensureQueryData(organizationQuery(params.org)),
  component: lazyRouteComponent(() => import('./pages/settings/organization-page.tsx'), 'OrganizationPage'),
})

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  loader: () => queryClient.ensureQueryData(devicesQuery()),
  component: lazyRouteComponent(() => import('./pages/settings/profile-page.tsx'), 'ProfilePage'),
})

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  validateSearch: panelSearch,
  loader: async ({ params }) => {
    if (await mayAdminister(params.org)) await queryClient.ensureQueryData(apiKeysQuery(params.org))
  },
  component: lazyRouteComponent(() => import('./pages/settings/api-keys-page.tsx'), 'ApiKeysPage'),
})

const workflowSecrets = createRoute({
  getParentRoute: () => settings,
  path: '/workflow-secrets',
  validateSearch: panelSearch,
  loader: async ({ params }) => {
    if (await mayAdminister(params.org)) await queryClient.ensureQueryData(secretsQuery(params.org))
  },
  component: lazyRouteComponent(
    () => import('./pages/settings/workflow-secrets-page.tsx'),
    'WorkflowSecretsPage',
  ),
})

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  loader: async ({ params: { org } }) => {
    if (await mayAdminister(org)) await queryClient.ensureQueryData(portalQuery(dashboardSpace(org)))
  },
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-settings.tsx'), 'WebhooksSettings'),
})

const webhookEndpoints = createRoute({
  getParentRoute: () => webhooks,
  path: '/',
  validateSearch: validEndpointsSearch,
  loader: async ({ params: { org } }) => {
    if (await mayAdminister(org)) await unlessManagedBySvix(loadEndpoints(dashboardSpace(org)))
  },
  component: endpointsPage,
})

const webhookEndpoint = createRoute({
  getParentRoute: () => webhooks,
  path: '/$endpointId',
  validateSearch: validEndpointSearch,
  loader: async ({ params: { org, endpointId }, location }) => {
    if (await mayAdminister(org))
      await unlessManagedBySvix(loadEndpoint(dashboardSpace(org), endpointId, location.search))
  },
  component: endpointPage,
})

const eventTypes = createRoute({
  getParentRoute: () => webhooks,
  path: '/event-types',
  loader: async ({ params: { org } }) => {
    if (await mayAdminister(org))
      await unlessManagedBySvix(queryClient.ensureQueryData(catalogueQuery(dashboardSpace(org))))
  },
  component: cataloguePage,
})

const settingsPages = [
  settingsIndex,
  settingsObjects,
  settingsObject,
  members,
  organizationSettings,
  profile,
  apiKeys,
  workflowSecrets,
  webhooks.addChildren([webhookEndpoints, webhookEndpoint, eventTypes]),
]
const organizationPages = [
  home,
  activities,
  object.addChildren([records, importRecords, record]),
  ...workflowPages,
  ...reportBuilderPages,
  ...reportPages,
  ...reportDashboardPages,
  settings.addChildren(settingsPages),
]

export const router = createRouter({
  routeTree: root.addChildren([
    index,
    signIn,
    signUp,
    forgotPassword,
    resetPassword,
    verifyEmail,
    invitation,
    newOrganization,
    organization.addChildren(organizationPages),
    portalPages,
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: PageNotFound,
  defaultPendingComponent: PagePending,
  defaultPendingMs: 250,
  defaultPendingMinMs: 200,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
