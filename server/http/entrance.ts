// Routes that need no authentication, such as signing in.
import type { RouteOptions } from 'fastify'
import { ENTRANCE_BODY_BYTES_MAX } from '../../contract/limits.ts'

/** An onRoute hook that limits bodies of requests without a session. */
export function limitEntranceBodies(route: RouteOptions): void {
  route.bodyLimit = Math.min(route.bodyLimit ?? ENTRANCE_BODY_BYTES_MAX, ENTRANCE_BODY_BYTES_MAX)
}
