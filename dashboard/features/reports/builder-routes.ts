// The pages on which reports are built.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { objectQuery, objectsQuery } from '../../shared/api/objects.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { organization } from '../../shared/routing/organization-route.ts'
import { readyReportsQuery, reportQuery, reportsQuery } from './api/reports.ts'
import { validBuilderSearch } from './builder-search.ts'

/** What can be joined is known only with the attributes of every object. */
async function loadModels(org: string): Promise<void> {
  const objects = await queryClient.ensureQueryData(objectsQuery(org))
  const active = objects.filter(({ isActive }) => isActive)
  await Promise.all(active.map(({ slug }) => queryClient.ensureQueryData(objectQuery(org, slug))))
}

const newReport = createRoute({
  getParentRoute: () => organization,
  path: '/reports/new',
  validateSearch: validBuilderSearch,
  loader: async ({ params: { org } }) => {
    await Promise.all([
      loadModels(org),
      queryClient.ensureQueryData(reportsQuery(org)),
      queryClient.ensureQueryData(readyReportsQuery(org)),
    ])
  },
  component: lazyRouteComponent(() => import('./builder-page.tsx'), 'NewReportPage'),
})

const editReport = createRoute({
  getParentRoute: () => organization,
  path: '/reports/$report/edit',
  // What is built begins with what is saved now, not with what was read some time ago.
  loader: async ({ params: { org, report } }) => {
    await Promise.all([
      loadModels(org),
      queryClient.fetchQuery({ ...reportQuery(org, report), staleTime: 0 }),
    ])
  },
  component: lazyRouteComponent(() => import('./builder-page.tsx'), 'EditReportPage'),
})

export const reportBuilderPages = [newReport, editReport]
