// Limits the time until a request is answered, including waits. The time in which a body arrives is not counted:
// body-time.ts limits that.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { createScope } from '../db/scope.ts'
import { hasBody } from './body-time.ts'
import { Countdowns } from './countdowns.ts'
import { tookTooLong } from './render-errors.ts'
import type { App } from './request.ts'

/** How long the database may take to report the end of a cancelled statement: db/scope.ts. */
const GRACE_MS = 1500
const SECOND_MS = 1000

/** A response that has begun, such as an export, has no time limit. */
function giveUp(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.headersSent) return
  request.scope.cut()
  const timer = setTimeout(() => {
    // The request hangs outside the database.
    if (!reply.sent) reply.send(tookTooLong())
  }, GRACE_MS)
  timer.unref()
  reply.raw.once('close', () => clearTimeout(timer))
}

/** Call it before any other hook is added except limitBodyTime. */
export function limitTime(
  app: App,
  { requestDeadlineSeconds: seconds }: Pick<Config, 'requestDeadlineSeconds'>,
): void {
  const countdowns = new Countdowns()
  app.decorateRequest('countdown')
  app.addHook('onRequest', (request, reply, done) => {
    request.scope = createScope()
    const countdown = { leftMs: seconds * SECOND_MS, since: 0, onEnd: () => giveUp(request, reply) }
    request.countdown = countdown
    reply.raw.once('close', () => countdowns.rest(countdown))
    countdowns.run(countdown)
    done()
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request)) countdowns.rest(request.countdown)
    done(null, payload)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const { countdown, raw } = request
    // The handler of such a route reads the body.
    if (request.routeOptions.config?.slowBody) raw.once('end', () => countdowns.run(countdown))
    else if (hasBody(request)) countdowns.run(countdown)
    done()
  })
}
