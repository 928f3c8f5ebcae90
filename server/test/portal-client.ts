// Visitors of the management portal, who use a link from the API.
import { expect } from 'vitest'
import type { PortalSession, Webhooks } from '../../contract/webhooks.ts'
import type { TestService } from './build-app.ts'
import { dashboardRequests, type Requests } from './dashboard-client.ts'
import type { Org } from './factories.ts'

type Inject = Pick<TestService, 'inject'>

/** Requests to the portal's API, with an optional session. */
export const portalRequests = ({ inject }: Inject, session?: string): Requests =>
  dashboardRequests(
    ({ headers, ...options }) =>
      inject({ ...options, headers: { ...headers, ...(session && { authorization: `Bearer ${session}` }) } }),
    '/portal/api',
  )

export const tokenOf = ({ portalUrl }: Webhooks): string => new URL(portalUrl).hash.replace('#token=', '')

/** Requests a new link with the organization's key, and opens it. */
export async function visitPortal(service: Inject, org: Org): Promise<Requests & { session: string }> {
  const { body } = await org.get<Webhooks>('/webhooks')
  const opened = await portalRequests(service).post<PortalSession>('/session', { token: tokenOf(body) })
  expect(opened.status).toBe(200)
  const { session } = opened.body
  return { session, ...portalRequests(service, session) }
}
