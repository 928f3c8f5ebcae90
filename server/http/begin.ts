// What every request of an interface begins with.
import type { onRequestHookHandler } from 'fastify'
import type { Context } from '../context.ts'

/** Gives the request its context. Answers hold personal data: no cache on the way keeps them, no browser guesses. */
export const begin =
  (ctx: Context): onRequestHookHandler =>
  (request, reply, done) => {
    request.ctx = ctx
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    done()
  }
