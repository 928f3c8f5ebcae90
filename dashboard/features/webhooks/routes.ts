import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { settings } from '../../shared/routing/settings-route.ts'
import { validEndpointSearch, validEndpointsSearch } from './endpoint-search.ts'
import { cataloguePage, endpointPage, endpointsPage } from './lazy-pages.ts'

const loaders = () => import('./loaders.ts')

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  loader: async ({ params: { org } }) => (await loaders()).loadWebhooks(org),
  component: lazyRouteComponent(() => import('./webhooks-settings.tsx'), 'WebhooksSettings'),
})

const webhookEndpoints = createRoute({
  getParentRoute: () => webhooks,
  path: '/',
  validateSearch: validEndpointsSearch,
  loader: async ({ params: { org } }) => (await loaders()).loadEndpointsOf(org),
  component: endpointsPage,
})

const webhookEndpoint = createRoute({
  getParentRoute: () => webhooks,
  path: '/$endpointId',
  validateSearch: validEndpointSearch,
  loader: async ({ params: { org, endpointId }, location }) =>
    (await loaders()).loadEndpointOf(org, endpointId, location.search),
  component: endpointPage,
})

const eventTypes = createRoute({
  getParentRoute: () => webhooks,
  path: '/event-types',
  loader: async ({ params: { org } }) => (await loaders()).loadCatalogueOf(org),
  component: cataloguePage,
})

export const webhookRoutes = [webhooks.addChildren([webhookEndpoints, webhookEndpoint, eventTypes])]
