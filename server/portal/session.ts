// The portal's counterpart of http/authenticate.ts: a session that can do nothing but manage webhooks.
import type { FastifyRequest, RouteOptions } from 'fastify'
import { bearerToken } from '../http/authenticate.ts'
import { requireVisit } from './service.ts'

/** An onRequest hook. */
export async function enterPortal(request: FastifyRequest): Promise<void> {
  const { caller, expiresAt } = await requireVisit(request.ctx, bearerToken(request.headers.authorization))
  request.caller = caller
  request.portalUntil = expiresAt
}

/** An onRoute hook: a route of the portal that manages anything but webhooks must not boot. */
export function requireWebhooks({ config, method, url }: RouteOptions): void {
  if (config?.scope !== 'webhooks:manage' && !config?.refused)
    throw new Error(`${method} ${url} is no route of the portal: its scope is not webhooks:manage`)
}
