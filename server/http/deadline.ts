// How long a request may take to be answered, waiting included. The time in which a body arrives is not counted:
// body-time.ts has a limit for that.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { createScope } from '../db/scope.ts'
import { tookTooLong } from './render-errors.ts'
import type { App } from './request.ts'

/** How long the database may take to report the end of a cancelled statement: interrupt.ts. */
const GRACE_MS = 1500
const SECOND_MS = 1000

/** Counts down while the service has the request, and stands still while its body arrives. */
class Countdown {
  #leftMs: number
  #since = 0
  #timer: NodeJS.Timeout | undefined
  readonly #onEnd: () => void

  constructor(ms: number, onEnd: () => void) {
    this.#leftMs = ms
    this.#onEnd = onEnd
  }

  run(): void {
    if (this.#timer) return
    this.#since = performance.now()
    this.#timer = setTimeout(this.#onEnd, this.#leftMs)
    this.#timer.unref()
  }

  rest(): void {
    if (!this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs -= performance.now() - this.#since
  }
}

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

const countdowns = new WeakMap<FastifyRequest, Countdown>()

/** To be called before any other hook is added but that of limitBodyTime. */
export function limitTime(
  app: App,
  { requestDeadlineSeconds: seconds }: Pick<Config, 'requestDeadlineSeconds'>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    request.scope = createScope()
    const countdown = new Countdown(seconds * SECOND_MS, () => giveUp(request, reply))
    countdowns.set(request, countdown)
    reply.raw.once('close', () => countdown.rest())
    countdown.run()
    done()
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    countdowns.get(request)?.rest()
    done(null, payload)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const countdown = countdowns.get(request)
    // Here the handler itself reads the body.
    if (request.routeOptions.config?.slowBody) request.raw.once('end', () => countdown?.run())
    else countdown?.run()
    done()
  })
}
