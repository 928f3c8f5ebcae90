import { afterEach, expect, test, vi } from 'vitest'
import { type Loop, startLoop, startWokenLoop } from './loop.ts'
import type { Wake } from './wake.ts'

const NEVER_MS = 3_600_000

afterEach(() => void vi.useRealTimers())

/** A loop whose rounds the test completes one by one. */
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

test('a round that found work is followed by another immediately', async () => {
  const { loop, first, next } = steppedLoop()
  const second = next()
  ;(await first)(true)
  const answer = await second
  const stopped = loop.stop()
  answer(false)
  await stopped
})

test('a wake starts a round of an idle loop', async () => {
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

test('the loop starts a round after the pause without a wake', async () => {
  const { loop, first, next } = steppedLoop(1)
  const second = next()
  ;(await first)(false)
  const answer = await second
  const stopped = loop.stop()
  answer(false)
  await stopped
})

test('without work the pauses double up to a limit, until a wake', async () => {
  vi.useFakeTimers({ now: 0 })
  const times: number[] = []
  const round = async () => {
    times.push(Date.now())
    return false
  }
  const loop = startLoop({ round, pollMs: 100, idleMs: 500, onError: () => undefined })
  await vi.advanceTimersByTimeAsync(1700)
  expect(times).toEqual([0, 100, 300, 700, 1200, 1700])
  await vi.advanceTimersByTimeAsync(50)
  loop.wake()
  await vi.advanceTimersByTimeAsync(300)
  expect(times.slice(6)).toEqual([1750, 1850, 2050])
  await loop.stop()
})

test('after work the pauses begin with the shortest', async () => {
  vi.useFakeTimers({ now: 0 })
  const times: number[] = []
  const loop = startLoop({
    round: async () => times.push(Date.now()) === 3,
    ...{ pollMs: 100, idleMs: 1000, onError: () => undefined },
  })
  await vi.advanceTimersByTimeAsync(600)
  expect(times).toEqual([0, 100, 300, 300, 400, 600])
  await loop.stop()
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
