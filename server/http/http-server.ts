// The HTTP server under the service.
import { createServer } from 'node:http'
import type { FastifyServerFactory } from 'fastify'
import type { ConnectionBounds } from '../rate-config.ts'
import { limitConnections } from './connections.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** A connection on which nothing happens is closed; no request may take that long (config.ts). */
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
