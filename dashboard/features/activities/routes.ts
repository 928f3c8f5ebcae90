import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organization } from '../../shared/routing/organization-route.ts'
import { validActivitySearch } from './activity-search.ts'

const activities = createRoute({
  getParentRoute: () => organization,
  path: '/activities',
  validateSearch: validActivitySearch,
  component: lazyRouteComponent(() => import('./activities-page.tsx'), 'ActivitiesPage'),
})

const trash = createRoute({
  getParentRoute: () => organization,
  path: '/activities/trash',
  component: lazyRouteComponent(() => import('./trash-page.tsx'), 'ActivityTrashPage'),
})

export const activityRoutes = [activities, trash]
