// Limits the time and the minimum rate in which a request body arrives. The limit of the HTTP server itself is that of
// the slowest route, and takes effect up to 30 seconds late.
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endWith } from './malformed.ts'
import type { App } from './request.ts'

export interface BodyTimes {
  /** The time limit for the whole body. */
  wholeMs: number
  /** After this time a body that arrives more slowly than `bytesPerSecondMin` is rejected. */
  graceMs: number
  bytesPerSecondMin: number
  /** The interval of checks. */
  lookMs: number
}

const TIMES: BodyTimes = { wholeMs: 60_000, graceMs: 10_000, bytesPerSecondMin: 4096, lookMs: 1000 }

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

interface Arriving {
  socket: Socket
  reply: FastifyReply
  since: number
  /** Bytes that the connection had read when the body began. */
  bytesRead: number
}

function giveUp({ socket, reply }: Arriving): void {
  if (reply.raw.headersSent) return void socket.destroy()
  const known = RATE_HEADERS.filter((name) => reply.hasHeader(name))
  const headers = known.map((name) => `${name}: ${reply.getHeader(name)}\r\n`)
  endWith(socket, 'ERR_HTTP_REQUEST_TIMEOUT', headers.join(''))
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** Bodies that are arriving; one timer for all costs less than one timer for each. */
class ArrivingBodies {
  readonly #times: BodyTimes
  readonly #arriving = new Set<Arriving>()
  #timer: NodeJS.Timeout | undefined

  constructor(times: BodyTimes) {
    this.#times = times
  }

  /** @returns a function to call when the body has arrived */
  add(arriving: Arriving): () => void {
    this.#arriving.add(arriving)
    this.#timer ??= setInterval(() => this.#look(), this.#times.lookMs).unref()
    return () => this.#arriving.delete(arriving)
  }

  #isLate({ socket, reply, since, bytesRead }: Arriving): boolean {
    // The body has arrived, and the service has not read it yet.
    if (reply.request.raw.complete) return false
    const { wholeMs, graceMs, bytesPerSecondMin } = this.#times
    const passedMs = performance.now() - since
    const wanted = ((passedMs - graceMs) / 1000) * bytesPerSecondMin
    return passedMs >= wholeMs || socket.bytesRead - bytesRead < wanted
  }

  #look(): void {
    for (const one of this.#arriving) {
      if (!this.#isLate(one)) continue
      this.#arriving.delete(one)
      giveUp(one)
    }
    if (this.#arriving.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Call it before any other hook is added: a body also arrives when its request is refused immediately. */
export function limitBodyTime(app: App, times: Partial<BodyTimes> = {}): void {
  const bodies = new ArrivingBodies({ ...TIMES, ...times })
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const { socket } = raw
    // Tests inject requests, which have no connection and arrive complete.
    if (hasBody(request) && socket instanceof Socket && !request.routeOptions.config?.slowBody) {
      const { bytesRead } = socket
      const arrived = bodies.add({ socket, reply, since: performance.now(), bytesRead })
      for (const event of ['end', 'close']) raw.once(event, arrived)
    }
    done()
  })
}
