import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ByteBudget } from './byte-budget.ts'
import { renderError } from './render-errors.ts'
import type { App } from './request.ts'
import { limitUnsentAnswers } from './unsent-answers.ts'

const MIB = 1024 ** 2
/** More than the buffers of the operating system hold. */
const HUGE = 'x'.repeat(64 * MIB)

const answers = () =>
  new ByteBudget(
    { setting: 'RESPONSE_BYTES', describe: (who) => `The responses of ${who}` },
    { key: 100 * MIB, organization: 100 * MIB, process: 150 * MIB },
  )

let budget: ByteBudget
/** `asked`: the request to /late has arrived. `answered`: its response is ready after the client disconnected. */
let asked: PromiseWithResolvers<void>
let answered: PromiseWithResolvers<void>
let port: number

/** The header X-Org sets the organization of the sender. */
beforeEach(async () => {
  budget = answers()
  const app = Fastify() as unknown as App
  app.setErrorHandler(renderError)
  app.decorateRequest('caller')
  app.addHook('onRequest', (request, _reply, done) => {
    const org = Number(request.headers['x-org'])
    request.caller = { org, keyId: `key of ${org}`, userId: '' } as typeof request.caller
    done()
  })
  limitUnsentAnswers(app, budget)
  app.get('/huge', () => HUGE)
  app.get('/small', () => 'small')
  asked = Promise.withResolvers()
  answered = Promise.withResolvers()
  app.get('/late', async (request) => {
    asked.resolve()
    await once(request.raw.socket, 'close')
    return HUGE
  })
  app.addHook('onSend', (_request, _reply, payload, done) => {
    answered.resolve()
    done(null, payload)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
})

/** Sends a request, and never reads the response. */
async function ask(org: number, path = '/huge'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Org: ${org}\r\n\r\n`)
  return socket
}

const get = (org: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-org': String(org) } })

describe('responses that a client does not read', () => {
  test('are counted until they are sent, and more large responses for the key are refused', async () => {
    const socket = await ask(1)
    await expect.poll(() => budget.bytes).toBe(HUGE.length)
    const refused = await get(1, '/huge')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    expect(await refused.json()).toMatchObject({
      error: 'rate_limit_exceeded',
      message: expect.stringMatching(
        /^The responses of this API key have reached 100.0 MiB: .* RESPONSE_BYTES_PER_KEY$/,
      ),
      details: { bound: 'RESPONSE_BYTES_PER_KEY' },
    })
    expect(await (await get(1, '/small')).text()).toBe('small')
    socket.destroy()
    await expect.poll(() => budget.bytes).toBe(0)
    expect((await (await get(1, '/huge')).text()).length).toBe(HUGE.length)
    await expect.poll(() => budget.bytes).toBe(0)
  })

  test('are not counted if the client disconnected before they were ready', async () => {
    const socket = await ask(1, '/late')
    await asked.promise
    socket.destroy()
    await answered.promise
    expect(budget.bytes).toBe(0)
  })

  test('lead to a 503 for another organization at the process limit, but small responses are sent', async () => {
    await ask(1)
    await ask(2)
    await expect.poll(() => budget.bytes).toBe(2 * HUGE.length)
    const refused = await get(3, '/huge')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await (await get(3, '/small')).text()).toBe('small')
  })
})
