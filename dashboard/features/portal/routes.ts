// The pages of the portal. They ask nothing of the dashboard: a visitor needs no account.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { alone } from '../../shared/pages/page-alone.tsx'
import { root } from '../../shared/routing/root-route.ts'
import { portalSpace } from '../webhooks/api/webhook-space.ts'
import { catalogueQuery, portalQuery } from '../webhooks/api/webhooks.ts'
import { validEndpointSearch, validEndpointsSearch } from '../webhooks/endpoint-search.ts'
import { cataloguePage, endpointPage, endpointsPage } from '../webhooks/lazy-pages.ts'
import { inPortal, loadEndpoint, loadEndpoints } from '../webhooks/load-endpoints.ts'

const portal = createRoute({
  getParentRoute: () => root,
  ...alone,
  path: '/portal',
  loader: () => inPortal(() => queryClient.ensureQueryData(portalQuery(portalSpace))),
  component: lazyRouteComponent(() => import('./portal-frame.tsx'), 'PortalFrame'),
})

const portalError = lazyRouteComponent(() => import('./portal-error.tsx'), 'PortalError')

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

export const portalRoutes = [portal.addChildren([portalEndpoints, portalEndpoint, portalEventTypes])]
