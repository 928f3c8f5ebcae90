// consistency=eventual: a list may be read on a replica, which may lack the latest commits. The reader's own writes are
// never missing: each response to a write has a token, which the reader may send back.
import type { FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { Config } from '../config/config.ts'
import { readAtReplica } from '../db/replicas/replica-reads.ts'
import { sendToken } from './reader.ts'
import type { App } from './request.ts'

const isEventual = ({ query }: FastifyRequest) =>
  (query as { consistency?: string }).consistency === 'eventual'

/** Runs the handler with the connections of a replica, if there is one. */
function eventual(handler: RouteHandlerMethod): RouteHandlerMethod {
  return async function (this, request, reply) {
    const { ctx, caller } = request
    if (ctx.replicas === undefined || !isEventual(request)) return handler.call(this, request, reply)
    return readAtReplica(ctx, { kind: 'list', org: caller.org }, async (one) => {
      request.ctx = one
      return handler.call(this, request, reply)
    })
  }
}

/** An onRoute hook for routes with the parameter; it must run after limitReads. */
export function readEventually(route: RouteOptions): void {
  const { properties } = (route.schema?.querystring ?? {}) as { properties?: object }
  if (properties && Object.hasOwn(properties, 'consistency')) route.handler = eventual(route.handler)
}

/** Adds the token to responses to writes. Does nothing without replicas. */
export function sendTokens(app: App, { config }: { config: Config }): void {
  if (config.replicas.length === 0) return
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { ctx, scope } = request
    // A request that was refused before it had a context wrote nothing.
    if (scope?.mayHaveCommitted && ctx?.reader && ctx.replicas)
      sendToken(request, reply, {
        config: ctx.config,
        token: ctx.replicas.ownWrites.noteWrite(ctx.reader.id),
      })
    done()
  })
}
