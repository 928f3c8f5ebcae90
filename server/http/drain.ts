// Stops without resetting connections: clients are asked to close their connections before the service closes them.
import { Server, type Socket } from 'node:net'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { App } from './request.ts'

/** How long to accept new connections while any are open, after DRAIN_SECONDS, which pass in any case. */
const LISTENS_MS = 1000
/** After that, the connections that have arrived are accepted, at most as many as Node's backlog holds: clients that
 * were asked to close may connect repeatedly. */
const ACCEPTS_MAX = 511
/** Two, because the first turn may begin after the phase that accepts connections. */
const QUIET_TURNS = 2
/** After that, how long to wait for requests on open connections. */
const IDLE_MS = 500
/** After that, how long to wait until clients close their side. */
const CLOSING_MS = 200
const LOOK_MS = 25

/** Open connections, with their requests in progress. */
function trackConnections({ server }: App) {
  const requests = new Map<Socket, number>()
  const add = (socket: Socket, change: number) => {
    const count = requests.get(socket)
    if (count !== undefined) requests.set(socket, count + change)
  }
  server.on('connection', (socket: Socket) => {
    requests.set(socket, 0)
    socket.once('close', () => requests.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    add(socket, 1)
    response.once('close', () => add(socket, -1))
  })
  return {
    isNone: () => requests.size === 0,
    idle: () => [...requests].filter(([, count]) => count === 0).map(([socket]) => socket),
  }
}

async function wait(ms: number, isOver: () => boolean): Promise<void> {
  const until = performance.now() + ms
  while (performance.now() < until && !isOver()) await delay(LOOK_MS)
  // A process that was busy all the time must still read the data that arrived.
  await nextTurn()
}

/** Node accepts one connection in each turn of its event loop. Connections that were not accepted would be reset. */
async function acceptArrived({ server }: Pick<App, 'server'>): Promise<void> {
  let count = 0
  const add = () => void count++
  server.on('connection', add)
  for (let quietTurns = 0; quietTurns < QUIET_TURNS && count < ACCEPTS_MAX; ) {
    const before = count
    await nextTurn()
    quietTurns = count === before ? quietTurns + 1 : 0
  }
  server.off('connection', add)
}

/** Does not close idle connections, as http.Server.close() does: a request may be arriving on each. */
export async function stopListening(app: Pick<App, 'server'>): Promise<void> {
  await acceptArrived(app)
  Server.prototype.close.call(app.server)
}

/**
 * While the service stops, every arriving request is answered, with `Connection: close`. The service continues to
 * listen for a short time, so that load balancers see that it is not ready, and then closes idle connections.
 * @param leaveSocket resolves when this process may close the listening socket that processes share
 */
export function drainConnections(
  app: App,
  { drainSeconds }: Pick<Config, 'drainSeconds'>,
  leaveSocket: () => Promise<void> = () => Promise.resolve(),
): void {
  const { isNone, idle } = trackConnections(app)
  let isStopping = false
  // Fastify adds the header to later requests; this hook adds it to running requests.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    isStopping = true
    if (!app.server.listening) return
    await delay(drainSeconds * 1000)
    await wait(LISTENS_MS, isNone)
    await leaveSocket()
    await stopListening(app)
    await wait(IDLE_MS, isNone)
    for (const socket of idle()) socket.end()
    await wait(CLOSING_MS, () => idle().length === 0)
    for (const socket of idle()) socket.destroy()
  })
}
