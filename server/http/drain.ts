// Stopping without resetting anyone: clients that keep connections are asked to close them before the service does.
import { Server, type Socket } from 'node:net'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { App } from './request.ts'

/** How long new connections are accepted, if any is open; DRAIN_SECONDS: also if none is. */
const LISTENS_MS = 1000
/** Then those that have arrived are accepted, one after another; at most as many as can have arrived, which is the
 * backlog that Node asks for: clients that are told to close may connect again and again. */
const ACCEPTS_MAX = 511
/** The first of them may begin after the place where connections are accepted. */
const QUIET_TURNS = 2
/** Then for requests that are on their way on connections that are open. */
const IDLE_MS = 500
/** Then for clients to close their side. */
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
  // A process that was busy for all of the time has not read what arrived.
  await nextTurn()
}

/** Node accepts one connection in each turn of its event loop. Those that have arrived would be reset at the end. */
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

/** Without the end of idle connections, which http.Server.close() begins with: a request may be on its way on each. */
export async function stopListening(app: Pick<App, 'server'>): Promise<void> {
  await acceptArrived(app)
  Server.prototype.close.call(app.server)
}

/**
 * While the service stops, every request that arrives is answered, with `Connection: close`. It listens for a moment,
 * so that balancers see that it is not ready, and then closes connections on which nothing is asked.
 * @param leaveSocket waits until no other process holds the socket after this one
 */
export function drainConnections(
  app: App,
  { drainSeconds }: Pick<Config, 'drainSeconds'>,
  leaveSocket: () => Promise<void> = () => Promise.resolve(),
): void {
  const { isNone, idle } = trackConnections(app)
  let isStopping = false
  // Fastify adds it to what is asked from then on; this is for what was under way.
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
