import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, Server } from 'node:net'
import { Pool } from 'undici'
import { expect, test, vi } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { stopListening } from './drain.ts'

const service = await buildTestService()

test('clients with keep-alive connections get Connection: close, and none of their requests fails', async () => {
  const app = await service.node()
  const pool = new Pool(await app.listen({ port: 0, host: '127.0.0.1' }), { connections: 4 })
  const seen = { answers: 0, closing: 0, failures: [] as unknown[] }
  let isOver = false
  const client = async () => {
    while (!isOver) {
      const { statusCode, headers, body } = await pool.request({ method: 'GET', path: '/healthz' })
      await body.dump()
      if (statusCode === 200) seen.answers++
      if (headers.connection === 'close') seen.closing++
    }
  }
  const clients = [1, 2, 3, 4].map(() => client().catch((error) => void seen.failures.push(error)))
  await expect.poll(() => seen.answers).toBeGreaterThan(20)
  const closed = app.close()
  // Every client gets it while the service still answers.
  await expect.poll(() => seen.closing, { interval: 5 }).toBeGreaterThan(4)
  isOver = true
  await Promise.all(clients)
  expect(seen.failures).toEqual([])
  await pool.close()
  await closed
})

test('a request on an idle connection is answered during the stop, and the connection is closed', async () => {
  const app = await service.node()
  const socket = connect(Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port), '127.0.0.1')
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  let heard = ''
  socket.on('data', (text) => {
    heard += text
  })
  ask('/healthz')
  await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 200 /)
  expect(heard).not.toMatch(/connection: close/i)
  heard = ''
  // The request arrives when the service stops listening.
  const stopped = vi.spyOn(Server.prototype, 'close').mockImplementationOnce(function (this: Server) {
    ask('/healthz')
    stopped.mockRestore()
    return Server.prototype.close.call(this)
  })
  const [closed, ended] = [app.close(), once(socket, 'end')]
  await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
  await ended
  await closed
})

// Concurrent, because each of these tests waits for the end of a separate service.
test.concurrent('an idle connection is ended, not reset', async () => {
  const app = await service.node()
  const socket = connect(Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port), '127.0.0.1')
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'data')
  const [closed, ended] = [app.close(), once(socket, 'end')]
  await ended
  await closed
})

test.concurrent('readyz returns 503 while the service stops', async () => {
  const app = await service.node()
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const held = connect(Number(new URL(address).port), '127.0.0.1')
  await once(held, 'connect')
  const closed = app.close()
  const response = await fetch(`${address}/readyz`)
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({
    error: 'unavailable',
    message: expect.stringMatching(/stopping/),
  })
  held.destroy()
  await closed
})

test.concurrent('a connection without any request does not delay the end', async () => {
  const app = await service.node()
  // By default Node would close it after a minute.
  Object.assign(app.server, { headersTimeout: 0, requestTimeout: 0 })
  const held = connect(Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port), '127.0.0.1')
  await once(held, 'connect')
  const ended = once(held, 'close')
  await app.close()
  await ended
})

test('connections that arrived before the server stops listening are answered', async () => {
  const server = createServer((_request, response) => void response.end('here'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const client = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const [answer] = await once(socket, 'data')
    socket.destroy()
    return String(answer).slice(0, 12)
  }
  const clients = Promise.all(Array.from({ length: 20 }, client))
  // After one tick every client has begun to connect.
  await new Promise(process.nextTick)
  await stopListening({ server })
  expect(new Set(await clients)).toEqual(new Set(['HTTP/1.1 200']))
})
