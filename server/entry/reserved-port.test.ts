import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { reservePort } from './reserved-port.ts'

const { ctx } = await buildTestService()

const ask = async (address: string) => (await fetch(address, { headers: { connection: 'close' } })).text()

test('a port passes to the next server, also while a connection without a request is open', async () => {
  const reserved = await reservePort({ ...ctx.config, host: '127.0.0.1', port: 0 })
  const first = Fastify({ forceCloseConnections: true })
  const second = Fastify()
  for (const [app, name] of [
    [first, 'first'],
    [second, 'second'],
  ] as const)
    app.get('/', () => name)
  onTestFinished(() => second.close())
  const address = await reserved.listen(first)
  expect(await ask(address)).toBe('first')
  const idle = connect(reserved.config.port, '127.0.0.1')
  await once(idle, 'connect')
  expect(await reserved.listen(second)).toBe(address)
  expect(await ask(address)).toBe('second')
})
