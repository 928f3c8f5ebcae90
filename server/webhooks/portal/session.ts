// Authentication of the portal, as http/authenticate.ts for the API: a session can only manage webhooks.
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { bearerToken } from '../../http/authenticate.ts'
import { enterAs } from '../../http/begin.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import { findVisit, requireVisit } from './service.ts'

/** An onRequest hook. */
export const enterPortal =
  (limits: RateLimits) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const visit = await findVisit(request.ctx, bearerToken(request.headers.authorization))
    if (!visit) limits.count(reply, 'address', request.ip)
    const { caller, cell, expiresAt } = requireVisit(visit)
    limits.count(reply, 'user', caller.userId)
    limits.count(reply, 'organization', caller.orgId)
    enterAs(request, caller, cell)
    request.portalUntil = expiresAt
  }

/** An onRoute hook. @throws at the start for a portal route with another scope than webhooks:manage */
export function requireWebhooks({ config, method, url }: RouteOptions): void {
  if (config?.scope !== 'webhooks:manage' && !config?.refused)
    throw new Error(`${method} ${url} is no route of the portal: its scope is not webhooks:manage`)
}
