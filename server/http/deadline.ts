// How long a request may take to be answered, waiting included. The time in which a body arrives is not counted:
// body-time.ts has a limit for that.
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

/** An answer that has begun, such as an export, may take as long as it takes. */
function giveUp(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.headersSent) return
  request.scope.cut()
  const timer = setTimeout(() => {
    // What hangs elsewhere than in the database.
    if (!reply.sent) reply.send(tookTooLong())
  }, GRACE_MS)
  timer.unref()
  reply.raw.once('close', () => clearTimeout(timer))
}

/** To be called before any other hook is added but that of limitBodyTime. */
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
    // Here the handler itself reads the body.
    if (request.routeOptions.config?.slowBody) raw.once('end', () => countdowns.run(countdown))
    else if (hasBody(request)) countdowns.run(countdown)
    done()
  })
}
