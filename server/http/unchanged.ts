// Conditional reads (RFC 9110, section 13.1.2): sends 304 if the client already has this version of the resource.
import type { FastifyRequest } from 'fastify'
import { isKnown } from './etag.ts'
import type { App } from './request.ts'

/** Expanded records can change while the version of the record stays the same. */
const isExpanded = ({ query }: FastifyRequest) => 'expand' in (query as object)

/** Call it before compressJson, to skip compression. Routes of files do this themselves (files/serve.ts). */
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
