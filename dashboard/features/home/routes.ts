import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { organization } from '../../shared/routing/organization-route.ts'
import { homeQuery } from './api.ts'

const home = createRoute({
  getParentRoute: () => organization,
  path: '/',
  loader: ({ params }) => queryClient.ensureQueryData({ ...homeQuery(params.org), revalidateIfStale: true }),
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const homeRoutes = [home]
