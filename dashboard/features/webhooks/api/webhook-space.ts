// Where webhooks are managed: in the dashboard by who is signed in, in the portal by who was given its link.

import { request } from '../../../shared/api/client.ts'
import { webhookPaths } from '../paths.ts'
import { requestInPortal, type SpaceAddress, type SpaceRequest } from './portal-session.ts'

export interface Space {
  /** What the keys of all its queries begin with. */
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
  // The routes of the portal are the organization's too: what they take and answer is the same.
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
