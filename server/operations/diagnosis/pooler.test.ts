import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { examinePooler, recallPooler, watchPooler } from './pooler.ts'

/** A pooler with given answers, and a clock that moves only on request. */
function scripted() {
  const asked: ((isGood: boolean | undefined) => void)[] = []
  let ms = 0
  const ask = () => new Promise<boolean | undefined>((resolve) => asked.push(resolve))
  const watch = watchPooler(ask, () => ms)
  const answer = async (isGood: boolean | undefined) => {
    const current = watch.current()
    asked.shift()?.(isGood)
    return current
  }
  const pass = (more: number) => {
    ms += more
  }
  return { watch, answer, pass, waiting: () => asked.length }
}

test('the last result is returned immediately, while one check runs', async () => {
  const { watch, answer, waiting } = scripted()
  expect([watch.last(), watch.last()]).toEqual([undefined, undefined])
  expect(waiting()).toBe(1)
  expect(await answer(false)).toBe(false)
  expect(watch.last()).toBe(false)
})

test('an unknown result keeps the last known one, and the next check comes soon', async () => {
  const { answer, pass, watch, waiting } = scripted()
  expect(await answer(false)).toBe(false)
  pass(2000)
  expect(await answer(undefined)).toBe(false)
  pass(2000)
  expect(await answer(true)).toBe(true)
  pass(59_000)
  expect(watch.last()).toBe(true)
  expect(waiting()).toBe(0)
})

test('a pooler that does not answer delays no probe', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connection = { connectionString: `postgres://ada@127.0.0.1:${port}/crm`, isPooled: true }
  expect(recallPooler({ connection })).toMatchObject({ check: 'pooler', status: 'ok' })
})

test('each database is checked through its own connection', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const asked = once(server, 'connection')
  const { port } = server.address() as AddressInfo
  const connection = { connectionString: `postgres://ada@127.0.0.1:${port}/crm`, isPooled: true }
  await examinePooler({ connection })
  await asked
})
