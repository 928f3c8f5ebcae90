// How long a request may take to arrive, and how slowly. The server's own limit is that of the slowest route, and takes
// up to 30 seconds more to notice.
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endWith } from './malformed.ts'
import type { App } from './request.ts'

export interface BodyTimes {
  /** For all of it. */
  wholeMs: number
  /** From then on a body that came more slowly than `bytesPerSecondMin` is given up. */
  graceMs: number
  bytesPerSecondMin: number
  /** How often bodies on their way are looked at. */
  lookMs: number
}

const TIMES: BodyTimes = { wholeMs: 60_000, graceMs: 10_000, bytesPerSecondMin: 4096, lookMs: 1000 }

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

interface Arriving {
  socket: Socket
  reply: FastifyReply
  since: number
  /** Of the connection, when its body began. */
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

/** Bodies on their way; one timer for all costs less than one for each. */
class ArrivingBodies {
  readonly #times: BodyTimes
  readonly #arriving = new Set<Arriving>()
  #timer: NodeJS.Timeout | undefined

  constructor(times: BodyTimes) {
    this.#times = times
  }

  /** @returns to be called when it is there */
  add(arriving: Arriving): () => void {
    this.#arriving.add(arriving)
    this.#timer ??= setInterval(() => this.#look(), this.#times.lookMs).unref()
    return () => this.#arriving.delete(arriving)
  }

  #isLate({ socket, reply, since, bytesRead }: Arriving): boolean {
    // It is there, and waits for the service.
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

/** To be called before any other hook is added: bodies of requests that are refused immediately arrive too. */
export function limitBodyTime(app: App, times: Partial<BodyTimes> = {}): void {
  const bodies = new ArrivingBodies({ ...TIMES, ...times })
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const { socket } = raw
    // A request that is injected, as tests do, arrives whole: it has no connection to wait on.
    if (hasBody(request) && socket instanceof Socket && !request.routeOptions.config?.slowBody) {
      const { bytesRead } = socket
      const arrived = bodies.add({ socket, reply, since: performance.now(), bytesRead })
      for (const event of ['end', 'close']) raw.once(event, arrived)
    }
    done()
  })
}
