// Loads the data that pages of webhooks in the settings show first. Separate from the routes, which are in the first
// script.
import { queryClient } from '../../shared/api/query-client.ts'
import { mayAdminister } from '../../shared/routing/may-administer.ts'
import { dashboardSpace } from './api/webhook-space.ts'
import { catalogueQuery, portalQuery } from './api/webhooks.ts'
import { loadEndpoint, loadEndpoints, unlessManagedBySvix } from './load-endpoints.ts'

export async function loadWebhooks(org: string): Promise<void> {
  if (await mayAdminister(org)) await queryClient.ensureQueryData(portalQuery(dashboardSpace(org)))
}

export async function loadEndpointsOf(org: string): Promise<void> {
  if (await mayAdminister(org)) await unlessManagedBySvix(loadEndpoints(dashboardSpace(org)))
}

export async function loadEndpointOf(org: string, endpointId: string, search: object): Promise<void> {
  if (await mayAdminister(org))
    await unlessManagedBySvix(loadEndpoint(dashboardSpace(org), endpointId, search))
}

export async function loadCatalogueOf(org: string): Promise<void> {
  if (await mayAdminister(org))
    await unlessManagedBySvix(queryClient.ensureQueryData(catalogueQuery(dashboardSpace(org))))
}
