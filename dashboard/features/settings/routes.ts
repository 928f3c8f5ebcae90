import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { settings } from '../../shared/routing/settings-route.ts'
import { panelSearch } from '../../ui/use-panel.ts'
import { settingsPaths } from './paths.ts'
import { undoSearch } from './undo-search.ts'

const loaders = () => import('./loaders.ts')

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
  loader: async ({ params: { org } }) => (await loaders()).loadObjects(org),
  component: lazyRouteComponent(() => import('./objects-page.tsx'), 'ObjectsPage'),
})

const settingsObject = createRoute({
  getParentRoute: () => settings,
  path: '/objects/$object',
  validateSearch: panelSearch,
  loader: async ({ params: { org, object } }) => (await loaders()).loadObject(org, object),
  component: lazyRouteComponent(() => import('./object-page.tsx'), 'ObjectPage'),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  validateSearch: panelSearch,
  loader: async ({ params: { org } }) => (await loaders()).loadMembers(org),
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
})

const organizationSettings = createRoute({
  getParentRoute: () => settings,
  path: '/organization',
  loader: async ({ params: { org } }) => (await loaders()).loadOrganization(org),
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
})

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  loader: async () => (await loaders()).loadProfile(),
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
})

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  validateSearch: panelSearch,
  loader: async ({ params: { org } }) => (await loaders()).loadApiKeys(org),
  component: lazyRouteComponent(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
})

const undo = createRoute({
  getParentRoute: () => settings,
  path: '/undo',
  validateSearch: undoSearch,
  loader: async ({ params: { org } }) => (await loaders()).loadUndo(org),
  component: lazyRouteComponent(() => import('./undo-page.tsx'), 'UndoPage'),
})

const privacy = createRoute({
  getParentRoute: () => settings,
  path: '/privacy',
  loader: async ({ params: { org } }) => (await loaders()).loadPrivacy(org),
  component: lazyRouteComponent(() => import('./privacy-page.tsx'), 'PrivacyPage'),
})

export const settingsRoutes = [
  settingsIndex,
  settingsObjects,
  settingsObject,
  members,
  organizationSettings,
  profile,
  undo,
  privacy,
  apiKeys,
]
