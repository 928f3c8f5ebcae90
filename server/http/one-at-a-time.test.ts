import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

/** A server whose requests are answered by the test. */
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

test('requests that are sent ahead wait for the answers before them', async () => {
  const { open, seen, send } = await listening()
  const socket = await send('/1', '/2', '/3')
  await expect.poll(() => seen).toEqual(['/1'])
  await send('/other')
  // All that the first connection has sent was read before this.
  await expect.poll(() => seen).toEqual(['/1', '/other'])
  open.get('/1')?.end('one')
  await expect.poll(() => seen).toEqual(['/1', '/other', '/2'])
  open.get('/2')?.end('two')
  await expect.poll(() => seen).toEqual(['/1', '/other', '/2', '/3'])
  open.get('/3')?.setHeader('connection', 'close').end('three')
  expect(await text(socket)).toMatch(/one.*two.*three/s)
})

test('a connection on which too many are sent ahead is closed', async () => {
  const { seen, send } = await listening()
  const paths = Array.from({ length: 18 }, (_, n) => `/${n}`)
  const socket = await send(...paths)
  await once(socket, 'close')
  expect(seen).toEqual(['/0'])
})

test('sixteen may wait', async () => {
  const { open, seen, send } = await listening()
  const paths = Array.from({ length: 17 }, (_, n) => `/${n}`)
  await send(...paths)
  for (const [n, path] of paths.entries()) {
    await expect.poll(() => seen.length).toBe(n + 1)
    open.get(path)?.end()
  }
  expect(seen).toEqual(paths)
})
