import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { limitConnections, oneAtATime } from './http-server.ts'

/** A server whose requests the test answers. */
async function listening() {
  const open = new Map<string, ServerResponse>()
  const seen: string[] = []
  const server = createServer(
    oneAtATime(({ url = '' }, response) => {
      seen.push(url)
      open.set(url, response)
    }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const send = async (...paths: string[]) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
    await once(socket, 'connect')
    return socket
  }
  return { open, seen, send }
}

test('pipelined requests wait for the responses before them', async () => {
  const { open, seen, send } = await listening()
  const socket = await send('/1', '/2', '/3')
  await expect.poll(() => seen).toEqual(['/1'])
  await send('/other')
  // The server has read all data of the first connection before this.
  await expect.poll(() => seen).toEqual(['/1', '/other'])
  open.get('/1')?.end('one')
  await expect.poll(() => seen).toEqual(['/1', '/other', '/2'])
  open.get('/2')?.end('two')
  await expect.poll(() => seen).toEqual(['/1', '/other', '/2', '/3'])
  open.get('/3')?.setHeader('connection', 'close').end('three')
  expect(await text(socket)).toMatch(/one.*two.*three/s)
})

test('a connection with too many pipelined requests is closed', async () => {
  const { seen, send } = await listening()
  const paths = Array.from({ length: 18 }, (_, n) => `/${n}`)
  const socket = await send(...paths)
  await once(socket, 'close')
  expect(seen).toEqual(['/0'])
})

test('sixteen pipelined requests may wait', async () => {
  const { open, seen, send } = await listening()
  const paths = Array.from({ length: 17 }, (_, n) => `/${n}`)
  await send(...paths)
  for (const [n, path] of paths.entries()) {
    await expect.poll(() => seen.length).toBe(n + 1)
    open.get(path)?.end()
  }
  expect(seen).toEqual(paths)
})

async function limited(bounds: Parameters<typeof limitConnections>[1], now = () => 0) {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.end('served')
  })
  limitConnections(server, bounds, now)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const open = async (address = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: address })
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  const count = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, found) => (error ? reject(error) : resolve(found))),
    )
  return { open, asked, count }
}

const ask = (socket: Socket, path: string) => {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

test('a client above its connection limit gets a 429 and is disconnected, and others are served', async () => {
  const { open, asked, count } = await limited({ process: 10, client: 2 })
  const held = [await open(), await open()]
  await expect.poll(count).toBe(2)
  const answer = await text(await open())
  expect(answer).toMatch(/^HTTP\/1\.1 429 .*Retry-After: 10\r\n.*CONNECTIONS_PER_CLIENT/s)
  expect(await ask(await open('127.0.0.2'), '/other')).toMatch(/served$/)
  held[0]?.destroy()
  await expect.poll(count).toBe(1)
  expect(await ask(await open(), '/again')).toMatch(/served$/)
  expect(asked).toEqual(['/other', '/again'])
})

test('a hundred refusals per second are answered, and further connections are reset', async () => {
  let now = 0
  const { open } = await limited({ process: 300, client: 1 }, () => now)
  await open()
  const refused = () =>
    open().then((socket) => text(socket).catch((error: NodeJS.ErrnoException) => error.code))
  const answers = await Promise.all(Array.from({ length: 110 }, refused))
  expect(answers.filter((answer) => answer?.startsWith('HTTP/1.1 429'))).toHaveLength(100)
  expect(answers.filter((answer) => answer === 'ECONNRESET')).toHaveLength(10)
  now = 1000
  expect(await refused()).toMatch(/^HTTP\/1\.1 429/)
})

test('a connection above the limit of the process is closed', async () => {
  const { open, count } = await limited({ process: 2, client: 2 })
  await open()
  await open('127.0.0.2')
  await expect.poll(count).toBe(2)
  expect(await text(await open('127.0.0.3'))).toBe('')
})
