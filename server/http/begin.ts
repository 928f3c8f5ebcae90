// The start of every request: its context, and the headers of its response.
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Caller } from '../base/caller.ts'
import type { DatabaseScope } from '../db/scope.ts'
import type { ShareOf } from '../db/shares.ts'
import { readerOf } from './reader.ts'

/** The type is declared in context.ts, outside this folder. */
export type RequestContext = FastifyRequest['ctx']

/**
 * The context with the connections of `share`, within the time of the request. The wait for them is limited. No
 * property is an accessor: each would cost a request a microsecond.
 */
function withShare(ctx: RequestContext, share: ShareOf, scope: DatabaseScope): RequestContext {
  const { directoryShares } = ctx.cells
  const db = ctx.shares.of(share, 'request').inScope(scope)
  return {
    ...ctx,
    auth() {
      // better-auth uses its own connections, so its changes are not counted here.
      scope.presumeChanges()
      return ctx.auth()
    },
    db,
    directory: directoryShares === ctx.shares ? db : directoryShares.of(share, 'request').inScope(scope),
    inCell: (cell) => withShare(ctx.cells.of(cell), share, scope),
  }
}

/**
 * Sets the caller of the request, which then uses the connections of the caller's organization.
 * @param cell the cell of the organization's data @throws 503 unavailable
 */
export function enterAs(request: FastifyRequest, caller: Caller, cell: number): void {
  request.caller = caller
  const ctx = withShare(request.ctx.cells.of(cell), caller.org, request.scope)
  request.ctx = ctx
  if (ctx.replicas) ctx.reader = readerOf(request)
}

/**
 * Sets the context of the request. Responses contain personal data: caches must not store them, and browsers must not
 * guess their type.
 * @param share the connections of requests without an organization; undefined: all requests have an organization
 */
export const beginRequest =
  (ctx: RequestContext, share: ShareOf | undefined): onRequestHookHandler =>
  (request, reply, done) => {
    request.ctx = share === undefined ? ctx : withShare(ctx, share, request.scope)
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    done()
  }
