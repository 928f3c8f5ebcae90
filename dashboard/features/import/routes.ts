import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { object } from '../../shared/routing/object-route.ts'
import { importQuery, importsQuery } from './api.ts'
import { validImportSearch } from './steps.ts'

const importRecords = createRoute({
  getParentRoute: () => object,
  path: '/import',
  validateSearch: validImportSearch,
  loaderDeps: ({ search }) => ({ id: search.import }),
  loader: ({ params: { org, object }, deps: { id } }) =>
    id === undefined
      ? queryClient.ensureQueryData(importsQuery(org, object))
      : queryClient.ensureQueryData(importQuery(org, id)),
  component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
})

export const importRoutes = [importRecords]
