// Routes in front of a session: they need no authentication.
import type { RouteOptions } from 'fastify'
import { ENTRANCE_BODY_BYTES_MAX } from '../../contract/limits.ts'

/** An onRoute hook: a body that comes without a session is small. */
export function limitEntranceBodies(route: RouteOptions): void {
  route.bodyLimit = Math.min(route.bodyLimit ?? ENTRANCE_BODY_BYTES_MAX, ENTRANCE_BODY_BYTES_MAX)
}
