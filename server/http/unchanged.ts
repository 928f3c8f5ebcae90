// Conditional reads (RFC 9110, section 13.1.2): sends 304 if the client already has this version of the resource.
import { isKnown, withContent } from './etag.ts'
import type { App } from './request.ts'

/** Call it before compressJson, to skip compression. Routes of files do this themselves (files/serve.ts). */
export function leaveOutUnchanged(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const version = reply.statusCode < 300 ? reply.getHeader('etag') : undefined
    if (typeof version !== 'string' || typeof payload !== 'string') return done(null, payload)
    const etag = withContent(version, payload)
    reply.header('etag', etag)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || !isKnown(request.headers['if-none-match'], etag)) return done(null, payload)
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    done(null, null)
  })
}
