// One request of a connection at a time: a client that sends requests ahead (pipelining) without reading the answers
// would have all of them made at once.
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of a connection that wait; a client that sends more ahead is disconnected. */
const WAITING_MAX = 16

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
