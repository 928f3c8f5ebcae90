// The space in which webhooks are managed: the dashboard for signed-in users, or the portal for visitors with a link.

import { request } from '../../../shared/api/client.ts'
import { webhookPaths } from '../paths.ts'
import { requestInPortal, type SpaceAddress, type SpaceRequest } from './portal-session.ts'

export interface Space {
  /** Query keys of the space begin with this key. */
  key: readonly string[]
  request: SpaceRequest
  paths: {
    endpoints(): string
    endpoint(id: string): string
    catalogue(): string
  }
  isPortal: boolean
}

/** @param org slug */
export const dashboardSpace = (org: string): Space => ({
  key: [org, 'webhooks'],
  // The organization has the same routes as the portal, with the same input and output.
  request: ((address: SpaceAddress, input?: object) =>
    request(address, { ...input, org } as never)) as SpaceRequest,
  paths: {
    endpoints: () => webhookPaths.webhooks(org),
    endpoint: (id) => webhookPaths.webhookEndpoint(org, id),
    catalogue: () => webhookPaths.eventTypes(org),
  },
  isPortal: false,
})

export const portalSpace: Space = {
  key: ['portal'],
  request: requestInPortal,
  paths: {
    endpoints: webhookPaths.portal,
    endpoint: webhookPaths.portalEndpoint,
    catalogue: webhookPaths.portalEventTypes,
  },
  isPortal: true,
}
