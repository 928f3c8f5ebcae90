// Logs a line for each answered request, for operators who must know who requested what (ACCESS_LOG).
//
// Of the URL only the pattern of the route and its ids are logged: links and filters contain tokens and personal data.
// Requests that are refused before a route is known have the route `none`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isUuid } from '../../contract/common.ts'
import type { App } from './request.ts'

const PROBES = new Set(['/healthz', '/readyz'])

/** Parameters with the id of a row, such as `recordId`; other parameters may be tokens. */
const IS_ID = /^(?:id|\w+Id)$/

function idsOf(params: unknown): Record<string, string> | undefined {
  const found = Object.entries((params ?? {}) as Record<string, string>).filter(
    ([name, value]) => IS_ID.test(name) && isUuid(value),
  )
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

/** The caller: the id of a key or of a user. */
const whoOf = ({ caller, signedIn }: FastifyRequest) => ({
  organization: caller?.orgId,
  key: caller?.keyId ?? undefined,
  // For a key, `userId` is its creator.
  user: signedIn?.user.id ?? (caller?.keyId ? undefined : caller?.userId),
})

const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  requestId: request.id,
  method: request.method,
  route: request.routeOptions.url ?? 'none',
  ids: idsOf(request.params),
  status: reply.statusCode,
  milliseconds: Math.round(reply.elapsedTime),
  address: request.ip,
  ...whoOf(request),
})

/** @param log a separate logger, since these lines do not depend on LOG_LEVEL */
export function logAccess(app: App, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const isProbe = PROBES.has(request.routeOptions.url ?? '') && reply.statusCode < 400
    if (!isProbe) log.info(lineOf(request, reply), 'access')
    done()
  })
}
