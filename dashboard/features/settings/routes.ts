import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { membersQuery } from '../../shared/api/members.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { mayAdminister } from '../../shared/routing/may-administer.ts'
import { settings } from '../../shared/routing/settings-route.ts'
import { panelSearch } from '../../ui/use-panel.ts'
import { devicesQuery } from '../identity/api.ts'
import { apiKeysQuery } from './api/api-keys.ts'
import { attributesQuery } from './api/attributes.ts'
import { invitationsQuery } from './api/members.ts'
import { allObjectsQuery, objectDeletionQuery } from './api/object-administration.ts'
import { organizationQuery } from './api/organization.ts'
import { privacyRequestsQuery } from './api/privacy.ts'
import { settingsPaths } from './paths.ts'

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  loader: ({ params }) => {
    throw redirect({ to: settingsPaths.profile(params.org), replace: true })
  },
})

const settingsObjects = createRoute({
  getParentRoute: () => settings,
  path: '/objects',
  validateSearch: panelSearch,
  loader: ({ params }) => queryClient.ensureQueryData(allObjectsQuery(params.org)),
  component: lazyRouteComponent(() => import('./objects-page.tsx'), 'ObjectsPage'),
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
  component: lazyRouteComponent(() => import('./object-page.tsx'), 'ObjectPage'),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  validateSearch: panelSearch,
  loader: async ({ params }) => {
    await queryClient.ensureQueryData(membersQuery(params.org))
    if (await mayAdminister(params.org)) await queryClient.ensureQueryData(invitationsQuery(params.org))
  },
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
})

const organizationSettings = createRoute({
  getParentRoute: () => settings,
  path: '/organization',
  loader: ({ params }) => queryClient.ensureQueryData(organizationQuery(params.org)),
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
})

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  loader: () => queryClient.ensureQueryData(devicesQuery()),
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
})

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  validateSearch: panelSearch,
  loader: async ({ params }) => {
    if (await mayAdminister(params.org)) await queryClient.ensureQueryData(apiKeysQuery(params.org))
  },
  component: lazyRouteComponent(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
})

const privacy = createRoute({
  getParentRoute: () => settings,
  path: '/privacy',
  loader: async ({ params: { org } }) => {
    if (!(await mayAdminister(org))) return
    await Promise.all([
      queryClient.ensureQueryData(allObjectsQuery(org)),
      queryClient.ensureQueryData(privacyRequestsQuery(org)),
    ])
  },
  component: lazyRouteComponent(() => import('./privacy-page.tsx'), 'PrivacyPage'),
})

export const settingsRoutes = [
  settingsIndex,
  settingsObjects,
  settingsObject,
  members,
  organizationSettings,
  profile,
  privacy,
  apiKeys,
]
