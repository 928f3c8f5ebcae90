// A route of the API without a scope must not boot.
import type { RouteOptions } from 'fastify'

/** An onRoute hook; http/authenticate.ts enforces what it demands. */
export function requireScopes({ config, method, url }: RouteOptions): void {
  if (!config?.scope && !config?.refused) throw new Error(`${method} ${url} names no scope`)
}
