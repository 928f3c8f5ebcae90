// The HTTP server under the service.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyServerFactory } from 'fastify'
import { rateLimited } from '../base/errors.ts'
import type { ConnectionBounds } from '../config/rate-config.ts'
import { networkOf } from './client-network.ts'
import { endWithError } from './malformed.ts'

/** A connection without activity is closed after this time; no request may take that long (config/config.ts). */
const CONNECTION_MS = 60_000
/** Long enough for the largest import at 1.5 Mbit/s; limitBodyTime limits all other requests. */
const REQUEST_MS = 600_000
/** Longer than proxies keep connections, so that no proxy sends a request while the service closes the connection. */
const KEEP_ALIVE_MS = 72_000

interface HeaderTimes {
  /** The time limit from the start of a connection or a request until its headers are complete. */
  headersMs: number
  /** The interval in which Node checks for late requests. */
  lookMs: number
}

const TIMES: HeaderTimes = { headersMs: 10_000, lookMs: 1000 }

/** How many pipelined requests of a connection may wait; a client that sends more is disconnected. */
const WAITING_MAX = 16

/**
 * Handles one request of a connection at a time: otherwise all requests of a client that pipelines without reading the
 * responses would run at the same time.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    // Node assigns a response its connection when the responses before it were sent.
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

/** How many refusals per second are answered: more answers would keep the process from other work. */
const ANSWERED_PER_SECOND = 100
const SECOND_MS = 1000

/** @param now a monotonic clock in milliseconds @returns whether one more refusal may be answered */
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
  // Closes the connection also if the client does not close its side.
  socket.destroySoon()
}

function reset(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.resetAndDestroy()
}

/**
 * Limits the open connections of all clients and of each client. The total is less than the limit of open files of the
 * process, so that the database and files can still be opened. Call it before other code listens to the server's
 * connections, because that code would serve refused connections.
 * @param now a monotonic clock in milliseconds
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
