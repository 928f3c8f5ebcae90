// What every request of an interface begins with.
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Caller } from '../base/caller.ts'
import type { DatabaseScope } from '../db/scope.ts'
import type { ShareOf } from '../db/shares.ts'
import { readerOf } from './reader.ts'

/** Its type is declared by context.ts, above this folder. */
export type RequestContext = FastifyRequest['ctx']

/**
 * The context with the connections of `share`, for which a request waits a bounded time, and within its own. No accessor
 * is among its properties: each would cost a request a microsecond.
 */
function withShare(ctx: RequestContext, share: ShareOf, scope: DatabaseScope): RequestContext {
  const { directoryShares } = ctx.cells
  const db = ctx.shares.of(share, 'request').inScope(scope)
  return {
    ...ctx,
    auth() {
      // better-auth uses its own connections: what it changed is not known here.
      scope.presumeChanges()
      return ctx.auth()
    },
    db,
    directory: directoryShares === ctx.shares ? db : directoryShares.of(share, 'request').inScope(scope),
    inCell: (cell) => withShare(ctx.cells.of(cell), share, scope),
  }
}

/**
 * The request is the caller's from here on, and uses the connections of their organization.
 * @param cell where the organization's data is @throws 503 unavailable
 */
export function enterAs(request: FastifyRequest, caller: Caller, cell: number): void {
  request.caller = caller
  const ctx = withShare(request.ctx.cells.of(cell), caller.org, request.scope)
  request.ctx = ctx
  if (ctx.replicas) ctx.reader = readerOf(request)
}

/**
 * Gives the request its context. Answers hold personal data: no cache on the way keeps them, no browser guesses.
 * @param share whose connections it uses as long as it belongs to no organization; undefined where it always does
 */
export const beginRequest =
  (ctx: RequestContext, share: ShareOf | undefined): onRequestHookHandler =>
  (request, reply, done) => {
    request.ctx = share === undefined ? ctx : withShare(ctx, share, request.scope)
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    done()
  }
