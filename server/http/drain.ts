// Stopping without resetting anyone: clients that keep connections are asked to close them before the service does.
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { App } from './request.ts'

/** While it lasts, requests on any connection are answered, with `Connection: close`. */
const DRAIN_MS = 1000
const LOOK_MS = 25

const countConnections = ({ server }: App) =>
  new Promise<number>((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)))

/** Browsers and clients open connections ahead of requests: Node waits a minute for the first byte of each. */
function trackUnused({ server }: App): () => void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
}

/** From the beginning of `app.close()` on, Fastify adds the header; closing goes on when no client is left. */
export function drainConnections(app: App): void {
  const closeUnused = trackUnused(app)
  let isStopping = false
  // Fastify adds it to what is asked from then on; this is for what was under way.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    isStopping = true
    const until = performance.now() + DRAIN_MS
    while (app.server.listening && performance.now() < until && (await countConnections(app)) > 0)
      await delay(LOOK_MS)
    closeUnused()
  })
}
