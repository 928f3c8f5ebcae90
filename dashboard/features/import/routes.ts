import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { object } from '../../shared/routing/object-route.ts'
import { validImportSearch } from './steps.ts'

const importRecords = createRoute({
  getParentRoute: () => object,
  path: '/import',
  validateSearch: validImportSearch,
  loaderDeps: ({ search }) => ({ id: search.import }),
  loader: async ({ params: { org, object }, deps: { id } }) =>
    (await import('./loaders.ts')).loadImport(org, object, id),
  component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
})

export const importRoutes = [importRecords]
