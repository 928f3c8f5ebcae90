import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import type { Admission } from './admission.ts'
import { ByteBudget } from './byte-budget.ts'
import { httpServer } from './http-server.ts'
import { answerMalformed } from './malformed.ts'
import type { App } from './request.ts'
import { limitUnsentAnswers } from './unsent-answers.ts'

const MIB = 1024 ** 2
const admission = {
  admit: () => ({ window: { limit: 1, remaining: 0, resetAt: 0 } }),
} as unknown as Admission
const bounds = { key: 100 * MIB, organization: 100 * MIB, process: 100 * MIB }
const budget = new ByteBudget({ setting: 'RESPONSE_BYTES', describe: (who) => who }, bounds)

const app = Fastify({
  serverFactory: httpServer({ process: 100, client: 100 }, { headersMs: 100, lookMs: 20 }),
  clientErrorHandler: answerMalformed(admission),
}) as unknown as App
limitUnsentAnswers(app, budget, 100)
app.get('/huge', () => 'x'.repeat(64 * MIB))
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

async function open(written: string) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(written)
  return socket
}

test('incomplete headers get a 408 after the time limit', async () => {
  expect(await text(await open('GET / HTTP/1.1\r\nHost: '))).toMatch(/^HTTP\/1\.1 408 .*"code":"timeout"/s)
})

test('a connection without data is closed without a response', async () => {
  expect(await text(await open(''))).toBe('')
})

test('a client that does not read its response is disconnected', async () => {
  const socket = await open('GET /huge HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => budget.bytes).toBe(64 * MIB)
  await expect.poll(() => budget.bytes).toBe(0)
  socket.destroy()
})
