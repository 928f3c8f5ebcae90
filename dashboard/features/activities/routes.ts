import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organization } from '../../shared/routing/organization-route.ts'
import { validActivitySearch } from './activity-search.ts'

const activities = createRoute({
  getParentRoute: () => organization,
  path: '/activities',
  validateSearch: validActivitySearch,
  component: lazyRouteComponent(() => import('./activities-page.tsx'), 'ActivitiesPage'),
})

export const activityRoutes = [activities]
