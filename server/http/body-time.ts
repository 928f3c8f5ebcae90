// How long a request may take to arrive. The server's own limit is that of the slowest route, and takes up to
// 30 seconds more to notice.
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endWith } from './malformed.ts'
import type { App } from './request.ts'

const BODY_MS = 60_000

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

function giveUp(socket: Socket, reply: FastifyReply): void {
  if (reply.raw.headersSent) return void socket.destroy()
  const known = RATE_HEADERS.filter((name) => reply.hasHeader(name))
  const headers = known.map((name) => `${name}: ${reply.getHeader(name)}\r\n`)
  endWith(socket, 'ERR_HTTP_REQUEST_TIMEOUT', headers.join(''))
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** To be called before any other hook is added: what is refused at once is sent to its end too. */
export function limitBodyTime(app: App, ms = BODY_MS): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const { socket } = raw
    // A request that is injected, as tests do, arrives whole: it has no connection to wait on.
    if (hasBody(request) && socket instanceof Socket && !request.routeOptions.config?.slowBody) {
      const timer = setTimeout(() => giveUp(socket, reply), ms)
      timer.unref()
      for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer))
    }
    done()
  })
}
