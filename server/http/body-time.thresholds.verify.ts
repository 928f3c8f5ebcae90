import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { afterFile } from '../test/after-file.ts'
import { type BodyTimes, limitBodyTime } from './body-time.ts'
import type { App } from './request.ts'

async function listening(times: Partial<BodyTimes>): Promise<App> {
  const app = Fastify() as unknown as App
  limitBodyTime(app, { lookMs: 20, ...times })
  app.post('/usual', () => 'all of it is there')
  app.post('/slow', { config: { slowBody: true } }, () => 'all of it is there')
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send('no') }, () => 'never')
  await app.listen({ port: 0, host: '127.0.0.1' })
  afterFile(() => app.close())
  return app
}

const app = await listening({ wholeMs: 100 })
const patient = await listening({})

/** Sends a body except its last byte, and the last byte after `ms`; undefined: never. */
async function sendSlowly(path: string, ms?: number, to = app): Promise<string> {
  const socket = connect((to.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nab`,
  )
  if (ms !== undefined) setTimeout(() => socket.write('c'), ms)
  return text(socket)
}

test('an incomplete body gets a 408 after the time limit', async () => {
  const answer = await sendSlowly('/usual')
  expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"timeout"/s)
})

test('a request that was refused before its body arrived is answered once and closed after the limit', async () => {
  const answer = await sendSlowly('/refused')
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
})

test('a slow body is accepted within the limit, and after the limit on routes with slowBody', async () => {
  expect(await sendSlowly('/usual', 10, patient)).toContain('all of it is there')
  expect(await sendSlowly('/slow', 300)).toContain('all of it is there')
})

test('a connection stays open when a body arrived that was not read', async () => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  const request = (connection: string) =>
    socket.write(
      `POST /refused HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc`,
    )
  request('keep-alive')
  setTimeout(() => request('close'), 300)
  expect((await text(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401'])
})

/** Sends a body of 1000 bytes, one every `ms`. @returns the answer */
async function drip(to: App, ms: number): Promise<string> {
  const socket = connect((to.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST /usual HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n')
  const timer = setInterval(() => socket.write('a'), ms)
  return text(socket).finally(() => clearInterval(timer))
}

test('a body below the minimum rate gets a 408 before the whole time limit', async () => {
  const watching = await listening({ graceMs: 100, bytesPerSecondMin: 1000 })
  expect(await drip(watching, 10)).toMatch(/^HTTP\/1\.1 408 .*"code":"timeout"/s)
})
