// The whole list of pages. What a page shows is loaded before it is drawn; its code, when it is first opened.
import { createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { isAtLeast } from '../../contract/roles.ts'
import { validActivitySearch } from '../features/activities/activity-search.ts'
import { homeQuery } from '../features/home/api.ts'
import { devicesQuery, installationQuery, openedInvitationQuery } from '../features/identity/api.ts'
import { SignInPage } from '../features/identity/sign-in-page.tsx'
import { importQuery, importsQuery } from '../features/import/api.ts'
import { validImportSearch } from '../features/import/steps.ts'
import { portalPages } from '../features/portal/routes.ts'
import { loadRecords } from '../features/records/load-records.ts'
import { validPageSearch } from '../features/records/page-search.ts'
import { reportBuilderPages } from '../features/reports/builder-routes.ts'
import { reportDashboardPages } from '../features/reports/dashboard-routes.ts'
import { reportPages } from '../features/reports/routes.ts'
import { apiKeysQuery } from '../features/settings/api/api-keys.ts'
import { attributesQuery } from '../features/settings/api/attributes.ts'
import { allObjectsQuery, objectDeletionQuery } from '../features/settings/api/object-administration.ts'
import { organizationQuery } from '../features/settings/api/organization.ts'
import { dashboardSpace } from '../features/webhooks/api/webhook-space.ts'
import { catalogueQuery, portalQuery } from '../features/webhooks/api/webhooks.ts'
import { validEndpointSearch, validEndpointsSearch } from '../features/webhooks/endpoint-search.ts'
import { cataloguePage, endpointPage, endpointsPage } from '../features/webhooks/lazy-pages.ts'
import { loadEndpoint, loadEndpoints, unlessManagedBySvix } from '../features/webhooks/load-endpoints.ts'
import { secretsQuery } from '../features/workflows/api/workflows.ts'
import { workflowPages } from '../features/workflows/routes.ts'
import { invitationsQuery, membersQuery } from '../shared/api/members.ts'
import { objectQuery } from '../shared/api/objects.ts'
import { queryClient } from '../shared/api/query-client.ts'
import { recordQuery } from '../shared/api/records.ts'
import { preferredOrganization, sessionQuery } from '../shared/api/session.ts'
import { alone } from '../shared/pages/page-alone.tsx'
import { PageError } from '../shared/pages/page-error.tsx'
import { PageNotFound } from '../shared/pages/page-not-found.tsx'
import { paths } from '../shared/paths.ts'
import { organization, toSignIn } from '../shared/routing/organization-route.ts'
import { root } from '../shared/routing/root-route.ts'
import { PagePending } from '../ui/page-pending.tsx'
import { panelSearch } from '../ui/use-panel.ts'

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
  component: lazyRouteComponent(() => import('../features/identity/sign-up-page.tsx'), 'SignUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/forgot-password',
  loader: () => queryClient.ensureQueryData(installationQuery()),
  component: lazyRouteComponent(
    () => import('../features/identity/forgot-password-page.tsx'),
    'ForgotPasswordPage',
  ),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/reset-password',
  validateSearch: ({ token }: { token?: unknown }) => (typeof token === 'string' ? { token } : {}),
  component: lazyRouteComponent(
    () => import('../features/identity/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
})

const verifyEmail = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/verify-email',
  validateSearch: ({ token }: { token?: unknown }) => (typeof token === 'string' ? { token } : {}),
  component: lazyRouteComponent(
    () => import('../features/identity/verify-email-page.tsx'),
    'VerifyEmailPage',
  ),
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
  component: lazyRouteComponent(() => import('../features/identity/invitation-page.tsx'), 'InvitationPage'),
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
    () => import('../features/identity/new-organization-page.tsx'),
    'NewOrganizationPage',
  ),
})

const home = createRoute({
  getParentRoute: () => organization,
  path: '/',
  loader: ({ params }) => queryClient.ensureQueryData({ ...homeQuery(params.org), revalidateIfStale: true }),
  component: lazyRouteComponent(() => import('../features/home/home-page.tsx'), 'HomePage'),
})

const activities = createRoute({
  getParentRoute: () => organization,
  path: '/activities',
  validateSearch: validActivitySearch,
  component: lazyRouteComponent(() => import('../features/activities/activities-page.tsx'), 'ActivitiesPage'),
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
  component: lazyRouteComponent(() => import('../features/records/records-page.tsx'), 'RecordsPage'),
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
  component: lazyRouteComponent(() => import('../features/import/import-page.tsx'), 'ImportPage'),
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
  errorComponent: lazyRouteComponent(() => import('../features/records/record-error.tsx'), 'RecordError'),
  component: lazyRouteComponent(() => import('../features/records/record-page.tsx'), 'RecordPage'),
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
  component: lazyRouteComponent(() => import('../features/settings/settings-layout.tsx'), 'SettingsLayout'),
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
  component: lazyRouteComponent(() => import('../features/settings/objects-page.tsx'), 'ObjectsPage'),
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
  component: lazyRouteComponent(() => import('../features/settings/object-page.tsx'), 'ObjectPage'),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  validateSearch: panelSearch,
  loader: async ({ params }) => {
    await queryClient.ensureQueryData(membersQuery(params.org))
    if (await mayAdminister(params.org)) await queryClient.ensureQueryData(invitationsQuery(params.org))
  },
  component: lazyRouteComponent(() => import('../features/settings/members-page.tsx'), 'MembersPage'),
})

const organizationSettings = createRoute({
  getParentRoute: () => settings,
  path: '/organization',
  loader: ({ params }) => queryClient.ensureQueryData(organizationQuery(params.org)),
  component: lazyRouteComponent(
    () => import('../features/settings/organization-page.tsx'),
    'OrganizationPage',
  ),
})

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  loader: () => queryClient.ensureQueryData(devicesQuery()),
  component: lazyRouteComponent(() => import('../features/settings/profile-page.tsx'), 'ProfilePage'),
})

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  validateSearch: panelSearch,
  loader: async ({ params }) => {
    if (await mayAdminister(params.org)) await queryClient.ensureQueryData(apiKeysQuery(params.org))
  },
  component: lazyRouteComponent(() => import('../features/settings/api-keys-page.tsx'), 'ApiKeysPage'),
})

const workflowSecrets = createRoute({
  getParentRoute: () => settings,
  path: '/workflow-secrets',
  validateSearch: panelSearch,
  loader: async ({ params }) => {
    if (await mayAdminister(params.org)) await queryClient.ensureQueryData(secretsQuery(params.org))
  },
  component: lazyRouteComponent(
    () => import('../features/settings/workflow-secrets-page.tsx'),
    'WorkflowSecretsPage',
  ),
})

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  loader: async ({ params: { org } }) => {
    if (await mayAdminister(org)) await queryClient.ensureQueryData(portalQuery(dashboardSpace(org)))
  },
  component: lazyRouteComponent(
    () => import('../features/webhooks/webhooks-settings.tsx'),
    'WebhooksSettings',
  ),
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
