// Limits the time of lists and searches: longer reads would occupy the connections of an organization. If the database
// does not respond, the error is 503 and not query_too_expensive.
import type { RouteHandlerMethod, RouteOptions } from 'fastify'
import { AppError, unavailable } from '../base/errors.ts'
import { TimeLimitError } from '../db/lease.ts'

const errorOf = ({ isStalled }: TimeLimitError, limitSeconds: number) =>
  isStalled ? unavailable() : tooExpensive(limitSeconds)

export const tooExpensive = (limitSeconds: number) =>
  new AppError(
    'query_too_expensive',
    `This list or search takes longer than ${limitSeconds} s: use fewer filters, or operators that use an index (equals, startsWith), and omit the total with count=false. The operator can raise the limit with SEARCH_SECONDS_MAX`,
    { limitSeconds },
  )

/** Runs a reading handler, and cancels it after SEARCH_SECONDS_MAX. */
function limited(handler: RouteHandlerMethod): RouteHandlerMethod {
  return async function (this, request, reply) {
    const { ctx } = request
    const { searchSecondsMax } = ctx.config
    try {
      return await ctx.db.within(searchSecondsMax * 1000, async (db) => {
        request.ctx = { ...ctx, db }
        return handler.call(this, request, reply)
      })
    } catch (error) {
      throw error instanceof TimeLimitError ? errorOf(error, searchSecondsMax) : error
    }
  }
}

/** An onRoute hook; it must run before the hook of Idempotency-Key. */
export function limitReads(route: RouteOptions): void {
  if (route.config?.isSearch) route.handler = limited(route.handler)
}
