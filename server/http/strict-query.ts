// Query parameters that a route does not know are refused, also where it knows none (decisions, section 1).
import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false })

/** An onRoute hook. */
export function refuseUnknownParameters(route: RouteOptions): void {
  if (!route.config?.refused) route.schema = { querystring: NO_PARAMETERS, ...route.schema }
}
