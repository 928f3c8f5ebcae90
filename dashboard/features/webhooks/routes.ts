import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { mayAdminister } from '../../shared/routing/may-administer.ts'
import { settings } from '../../shared/routing/settings-route.ts'
import { dashboardSpace } from './api/webhook-space.ts'
import { catalogueQuery, portalQuery } from './api/webhooks.ts'
import { validEndpointSearch, validEndpointsSearch } from './endpoint-search.ts'
import { cataloguePage, endpointPage, endpointsPage } from './lazy-pages.ts'
import { loadEndpoint, loadEndpoints, unlessManagedBySvix } from './load-endpoints.ts'

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  loader: async ({ params: { org } }) => {
    if (await mayAdminister(org)) await queryClient.ensureQueryData(portalQuery(dashboardSpace(org)))
  },
  component: lazyRouteComponent(() => import('./webhooks-settings.tsx'), 'WebhooksSettings'),
})

const webhookEndpoints = createRoute({
  getParentRoute: () => webhooks,
  path: '/',
  validateSearch: validEndpointsSearch,
  loader: async ({ params: { org } }) => {
    if (await mayAdminister(org)) await unlessManagedBySvix(loadEndpoints(dashboardSpace(org)))
  },
  component: endpointsPage,
})

const webhookEndpoint = createRoute({
  getParentRoute: () => webhooks,
  path: '/$endpointId',
  validateSearch: validEndpointSearch,
  loader: async ({ params: { org, endpointId }, location }) => {
    if (await mayAdminister(org))
      await unlessManagedBySvix(loadEndpoint(dashboardSpace(org), endpointId, location.search))
  },
  component: endpointPage,
})

const eventTypes = createRoute({
  getParentRoute: () => webhooks,
  path: '/event-types',
  loader: async ({ params: { org } }) => {
    if (await mayAdminister(org))
      await unlessManagedBySvix(queryClient.ensureQueryData(catalogueQuery(dashboardSpace(org))))
  },
  component: cataloguePage,
})

export const webhookRoutes = [webhooks.addChildren([webhookEndpoints, webhookEndpoint, eventTypes])]
