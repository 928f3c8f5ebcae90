// The pages of the portal. They make no requests of the dashboard, because visitors have no account.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameless } from '../../shared/pages/frameless-page.tsx'
import { root } from '../../shared/routing/root-route.ts'
import { validEndpointSearch, validEndpointsSearch } from '../webhooks/endpoint-search.ts'
import { cataloguePage, endpointPage, endpointsPage } from '../webhooks/lazy-pages.ts'

const loaders = () => import('./loaders.ts')

const portal = createRoute({
  getParentRoute: () => root,
  ...frameless,
  path: '/portal',
  loader: async () => (await loaders()).loadPortal(),
  component: lazyRouteComponent(() => import('./portal-frame.tsx'), 'PortalFrame'),
})

const portalError = lazyRouteComponent(() => import('./portal-error.tsx'), 'PortalError')

const portalEndpoints = createRoute({
  getParentRoute: () => portal,
  path: '/',
  validateSearch: validEndpointsSearch,
  loader: async () => (await loaders()).loadPortalEndpoints(),
  errorComponent: portalError,
  component: endpointsPage,
})

const portalEndpoint = createRoute({
  getParentRoute: () => portal,
  path: '/endpoints/$endpointId',
  validateSearch: validEndpointSearch,
  loader: async ({ params, location }) =>
    (await loaders()).loadPortalEndpoint(params.endpointId, location.search),
  errorComponent: portalError,
  component: endpointPage,
})

const portalEventTypes = createRoute({
  getParentRoute: () => portal,
  path: '/event-types',
  loader: async () => (await loaders()).loadPortalCatalogue(),
  errorComponent: portalError,
  component: cataloguePage,
})

export const portalRoutes = [portal.addChildren([portalEndpoints, portalEndpoint, portalEventTypes])]
