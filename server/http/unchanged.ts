// Conditional reads (RFC 9110, section 13.1.2): 304 in place of a resource that the client has in this version.
import type { FastifyRequest } from 'fastify'
import { isKnown } from './etag.ts'
import type { App } from './request.ts'

/** What a record refers to changes without it. */
const isExpanded = ({ query }: FastifyRequest) => 'expand' in (query as object)

/** Before compressJson, whose work it saves. Routes of files do it themselves (files/serve.ts). */
export function leaveOutUnchanged(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const ifNoneMatch = request.headers['if-none-match']
    const isAsked =
      ifNoneMatch !== undefined && request.routeOptions.config?.isConditional && !isExpanded(request)
    const etag = isAsked && reply.statusCode === 200 ? reply.getHeader('etag') : undefined
    if (typeof etag !== 'string' || !isKnown(ifNoneMatch, etag)) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    done(null, null)
  })
}
