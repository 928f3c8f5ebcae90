// The pages of the portal. They ask nothing of the dashboard: a visitor needs no account.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { portalSpace } from './api/webhook-space.ts'
import { catalogueQuery, portalQuery } from './api/webhooks.ts'
import { alone } from './components/page-alone.tsx'
import { validEndpointSearch, validEndpointsSearch } from './components/webhooks/endpoint-search.ts'
import { inPortal, loadEndpoint, loadEndpoints } from './components/webhooks/load-endpoints.ts'
import { cataloguePage, endpointPage, endpointsPage } from './pages/webhooks/lazy-pages.ts'
import { root } from './root-route.ts'

const portal = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/portal',
  loader: () => inPortal(() => queryClient.ensureQueryData(portalQuery(portalSpace))),
  component: lazyRouteComponent(() => import('./pages/portal/portal-frame.tsx'), 'PortalFrame'),
})

const portalError = lazyRouteComponent(() => import('./pages/portal/portal-error.tsx'), 'PortalError')

const portalEndpoints = createRoute({
  getParentRoute: () => portal,
  path: '/',
  validateSearch: validEndpointsSearch,
  loader: () => inPortal(() => loadEndpoints(portalSpace)),
  errorComponent: portalError,
  component: endpointsPage,
})

const portalEndpoint = createRoute({
  getParentRoute: () => portal,
  path: '/endpoints/$endpointId',
  validateSearch: validEndpointSearch,
  loader: ({ params, location }) =>
    inPortal(() => loadEndpoint(portalSpace, params.endpointId, location.search)),
  errorComponent: portalError,
  component: endpointPage,
})

const portalEventTypes = createRoute({
  getParentRoute: () => portal,
  path: '/event-types',
  loader: () => inPortal(() => queryClient.ensureQueryData(catalogueQuery(portalSpace))),
  errorComponent: portalError,
  component: cataloguePage,
})

export const portalPages = portal.addChildren([portalEndpoints, portalEndpoint, portalEventTypes])
