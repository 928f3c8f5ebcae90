// The HTTP server under the service.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyServerFactory } from 'fastify'
import { rateLimited } from '../base/errors.ts'
import type { ConnectionBounds } from '../config/rate-config.ts'
import { networkOf } from './client-network.ts'
import { endWithError } from './malformed.ts'

/** A connection on which nothing happens is closed; no request may take that long (config/config.ts). */
const CONNECTION_MS = 60_000
/** Long enough for the largest import over a line of 1.5 Mbit/s; limitBodyTime is for everything else. */
const REQUEST_MS = 600_000
/** Longer than proxies keep theirs, so that none sends a request while the service closes the connection. */
const KEEP_ALIVE_MS = 72_000

interface HeaderTimes {
  /** From the beginning of a connection or a request until its headers are there. */
  headersMs: number
  /** How often Node looks for requests that are late. */
  lookMs: number
}

const TIMES: HeaderTimes = { headersMs: 10_000, lookMs: 1000 }

/** Requests of a connection that wait; a client that sends more ahead is disconnected. */
const WAITING_MAX = 16

/**
 * One request of a connection at a time: a client that sends requests ahead (pipelining) without reading the answers
 * would have all of them made at the same time.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    // Node gives a response its connection once those before it were sent.
    if (response.socket !== null) return handle(request, response)
    const { socket } = request
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > WAITING_MAX) return void socket.destroy()
    waiting.set(socket, count)
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      handle(request, response)
    })
  }
}

const RETRY_AFTER_SECONDS = 10

/** A second in which more are refused is a flood: an answer to each would keep the process from others. */
const ANSWERED_PER_SECOND = 100
const SECOND_MS = 1000

/** Whether one more refusal may be explained to its client. @param now milliseconds that only increase */
function answersPerSecond(now: () => number): () => boolean {
  let [startedAt, count] = [Number.NEGATIVE_INFINITY, 0]
  return () => {
    if (now() - startedAt >= SECOND_MS) [startedAt, count] = [now(), 0]
    count++
    return count <= ANSWERED_PER_SECOND
  }
}

const tooMany = (limit: number) =>
  rateLimited(
    RETRY_AFTER_SECONDS,
    `Your address has ${limit} connections open, the maximum: close some. The operator can raise CONNECTIONS_PER_CLIENT`,
  )

function refuse(socket: Socket, limit: number): void {
  socket.on('error', () => undefined)
  endWithError(socket, '429 Too Many Requests', tooMany(limit))
  // Also if the client does not close its side.
  socket.destroySoon()
}

function reset(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.resetAndDestroy()
}

/**
 * Limits the connections that clients may have open: all together to fewer than the process may have files open, so that
 * the database and files can still be opened, and each client to a part of them. Call it before anything else listens to
 * the server's connections: that would serve one that is refused.
 * @param now milliseconds that only increase
 */
export function limitConnections(
  server: Server,
  { process, client }: ConnectionBounds,
  now = () => performance.now(),
): void {
  const mayAnswer = answersPerSecond(now)
  const [serve] = server.listeners('connection') as ((socket: Socket) => void)[]
  const counts = new Map<string, number>()
  const leave = (network: string) => {
    const left = (counts.get(network) ?? 0) - 1
    if (left > 0) counts.set(network, left)
    else counts.delete(network)
  }
  server.maxConnections = process
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const open = counts.get(network) ?? 0
    if (open >= client) return mayAnswer() ? refuse(socket, client) : reset(socket)
    counts.set(network, open + 1)
    socket.once('close', () => leave(network))
    serve?.call(server, socket)
  })
}

export const httpServer =
  (bounds: ConnectionBounds, { headersMs, lookMs } = TIMES): FastifyServerFactory =>
  (handle) => {
    const server = createServer(
      {
        headersTimeout: headersMs,
        requestTimeout: REQUEST_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connectionsCheckingInterval: lookMs,
      },
      oneAtATime(handle),
    )
    server.setTimeout(CONNECTION_MS)
    limitConnections(server, bounds)
    return server
  }
