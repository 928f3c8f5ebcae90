import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { limitConnections } from './connections.ts'

async function listening(bounds: Parameters<typeof limitConnections>[1], now = () => 0) {
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

test('a client beyond its connections gets a 429 and is closed, and others are served', async () => {
  const { open, asked, count } = await listening({ process: 10, client: 2 })
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

test('a hundred refusals are answered in a second, and the connections of a flood are reset', async () => {
  let now = 0
  const { open } = await listening({ process: 300, client: 1 }, () => now)
  await open()
  const refused = () =>
    open().then((socket) => text(socket).catch((error: NodeJS.ErrnoException) => error.code))
  const answers = await Promise.all(Array.from({ length: 110 }, refused))
  expect(answers.filter((answer) => answer?.startsWith('HTTP/1.1 429'))).toHaveLength(100)
  expect(answers.filter((answer) => answer === 'ECONNRESET')).toHaveLength(10)
  now = 1000
  expect(await refused()).toMatch(/^HTTP\/1\.1 429/)
})

test('beyond those of the process a connection is closed', async () => {
  const { open, count } = await listening({ process: 2, client: 2 })
  await open()
  await open('127.0.0.2')
  await expect.poll(count).toBe(2)
  expect(await text(await open('127.0.0.3'))).toBe('')
})
