// Pages of any origin may use the addresses of files: only the address is needed, and no cookie is read.
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../../http/request.ts'

const DAY_SECONDS = 24 * 3600

/** Response headers that pages may read in addition to those that browsers always allow. */
const EXPOSED = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ')

/** The names are listed too, because older browsers ignore `*`. */
const REQUEST_HEADERS = 'Content-Type, If-None-Match, If-Range, Range, X-Request-Id, *'

export function allowAllOrigins(app: App): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('access-control-allow-origin', '*')
    reply.header('access-control-expose-headers', EXPOSED)
    done()
  })
}

/** Responds to the preflight requests of browsers. @param methods such as `GET, HEAD` */
export function preflightRoute(app: App, url: string, methods: string): void {
  app.options(
    url,
    { schema: { querystring: Type.Object({}) } },
    (_request, reply): FastifyReply =>
      reply
        .code(204)
        .header('access-control-allow-methods', methods)
        .header('access-control-allow-headers', REQUEST_HEADERS)
        .header('access-control-max-age', DAY_SECONDS)
        .send(),
  )
}
