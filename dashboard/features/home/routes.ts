import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { membersQuery } from '../../shared/api/members.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { organization } from '../../shared/routing/organization-route.ts'
import { homeQuery, pipelineQuery } from './api.ts'

const home = createRoute({
  getParentRoute: () => organization,
  path: '/',
  loader: async ({ params: { org } }) => {
    // These decide the set and height of the cards. A failure affects the card, not the page.
    const cards = Promise.allSettled([
      queryClient.ensureQueryData(pipelineQuery(org, queryClient)),
      queryClient.ensureQueryData(membersQuery(org)),
    ])
    await queryClient.ensureQueryData({ ...homeQuery(org), revalidateIfStale: true })
    await cards
  },
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const homeRoutes = [home]
