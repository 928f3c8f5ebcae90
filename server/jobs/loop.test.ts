import { expect, test } from 'vitest'
import { type Loop, startLoop, startWokenLoop } from './loop.ts'
import type { Wake } from './wake.ts'

const NEVER_MS = 3_600_000

/** A loop whose rounds are answered one by one. */
function steppedLoop(pollMs = NEVER_MS) {
  const { promise: error, resolve: onError } = Promise.withResolvers<unknown>()
  let began = Promise.withResolvers<(more: boolean | Error) => void>()
  const round = () =>
    new Promise<boolean>((resolve, reject) => {
      began.resolve((more) => (more instanceof Error ? reject(more) : resolve(more)))
      began = Promise.withResolvers()
    })
  const next = () => began.promise
  const first = next()
  const loop: Loop = startLoop({ round, pollMs, onError })
  return { loop, error, first, next }
}

test('a round that found work is followed by another at once', async () => {
  const { loop, first, next } = steppedLoop()
  const second = next()
  ;(await first)(true)
  const answer = await second
  const stopped = loop.stop()
  answer(false)
  await stopped
})

test('a loop at rest goes on when woken', async () => {
  const { loop, first, next } = steppedLoop()
  const second = next()
  ;(await first)(false)
  loop.wake()
  const answer = await second
  const stopped = loop.stop()
  answer(false)
  await stopped
})

test('a wake during a round starts another round after it', async () => {
  const { loop, first, next } = steppedLoop()
  const second = next()
  const answer = await first
  loop.wake()
  answer(false)
  const stopped = second.then(() => loop.stop())
  ;(await second)(false)
  await stopped
})

test('it looks by itself after a while', async () => {
  const { loop, first, next } = steppedLoop(1)
  const second = next()
  ;(await first)(false)
  const answer = await second
  const stopped = loop.stop()
  answer(false)
  await stopped
})

test('an error is reported, and stopping does not wait for the pause after it', async () => {
  const { loop, error, first } = steppedLoop()
  ;(await first)(new Error('the database is away'))
  expect(await error).toEqual(new Error('the database is away'))
  await loop.stop()
})

test('a loop that commits wake listens until it is stopped', async () => {
  const listeners = new Set<() => void>()
  const wake: Pick<Wake, 'listen'> = {
    listen({ webhooks = () => undefined }) {
      listeners.add(webhooks)
      return () => void listeners.delete(webhooks)
    },
  }
  const rounds = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let count = 0
  const round = async () => {
    rounds[count++]?.resolve()
    return false
  }
  const loop = startWokenLoop({ wake, on: 'webhooks', round, pollMs: NEVER_MS, onError: () => undefined })
  await rounds[0]?.promise
  for (const listener of listeners) listener()
  await rounds[1]?.promise
  await loop.stop()
  expect(listeners.size).toBe(0)
})
