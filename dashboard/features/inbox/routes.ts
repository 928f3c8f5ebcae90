import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { organization } from '../../shared/routing/organization-route.ts'
import { settings } from '../../shared/routing/settings-route.ts'
import { notificationSettingsQuery } from './api.ts'

const inbox = createRoute({
  getParentRoute: () => organization,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
})

const notificationSettings = createRoute({
  getParentRoute: () => settings,
  path: '/notifications',
  loader: ({ params }) => queryClient.ensureQueryData(notificationSettingsQuery(params.org)),
  component: lazyRouteComponent(() => import('./notification-settings-page.tsx'), 'NotificationSettingsPage'),
})

export const inboxRoutes = [inbox]
export const inboxSettingsRoutes = [notificationSettings]
