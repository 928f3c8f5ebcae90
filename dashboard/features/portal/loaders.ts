// Loads the data that pages of the portal show first. Separate from the routes, which are in the first script.
import { queryClient } from '../../shared/api/query-client.ts'
import { portalSpace } from '../webhooks/api/webhook-space.ts'
import { catalogueQuery, portalQuery } from '../webhooks/api/webhooks.ts'
import { inPortal, loadEndpoint, loadEndpoints } from '../webhooks/load-endpoints.ts'

export const loadPortal = () => inPortal(() => queryClient.ensureQueryData(portalQuery(portalSpace)))

export const loadPortalEndpoints = () => inPortal(() => loadEndpoints(portalSpace))

export const loadPortalEndpoint = (endpointId: string, search: object) =>
  inPortal(() => loadEndpoint(portalSpace, endpointId, search))

export const loadPortalCatalogue = () =>
  inPortal(() => queryClient.ensureQueryData(catalogueQuery(portalSpace)))
