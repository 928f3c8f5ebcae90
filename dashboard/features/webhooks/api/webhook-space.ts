// Where webhooks are managed: in the dashboard by who is signed in, in the portal by who was given its link.

import { type Method, organizationPath, request } from '../../../shared/api/client.ts'
import { webhookPaths } from '../paths.ts'
import { type RequestOptions, requestPortal } from './portal-session.ts'

export interface Space {
  /** What the keys of all its queries begin with. */
  key: readonly string[]
  /** @param path below the organization's routes: `/webhooks/endpoints` @throws ApiError */
  request<Body>(method: Method, path: string, options?: RequestOptions): Promise<Body>
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
  request: (method, path, options) => request(method, `${organizationPath(org)}${path}`, options),
  paths: {
    endpoints: () => webhookPaths.webhooks(org),
    endpoint: (id) => webhookPaths.webhookEndpoint(org, id),
    catalogue: () => webhookPaths.eventTypes(org),
  },
  isPortal: false,
})

export const portalSpace: Space = {
  key: ['portal'],
  request: requestPortal,
  paths: {
    endpoints: webhookPaths.portal,
    endpoint: webhookPaths.portalEndpoint,
    catalogue: webhookPaths.portalEventTypes,
  },
  isPortal: true,
}
