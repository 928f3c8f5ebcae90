// How many connections clients may have open: all together fewer than the process may have files open, so that the
// database and files stay within reach, and each client a part of them.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { rateLimited } from '../errors.ts'
import type { ConnectionBounds } from '../rate-config.ts'
import { networkOf } from './client-network.ts'
import { endWithError } from './malformed.ts'

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
 * To be called before anything else listens to the server's connections: they would serve one that is refused.
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
