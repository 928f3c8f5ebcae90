import { expect, test } from 'vitest'
import type { Consumer } from '../base/consumer.ts'
import { createWake } from './wake.ts'

/** A wake whose checks for entries the test completes one by one, and the calls of its listener. */
function steppedWake() {
  const calls: string[] = []
  let began = Promise.withResolvers<(found: readonly Consumer[] | Error) => void>()
  const looks = { count: 0 }
  const wake = createWake(
    () =>
      new Promise((resolve, reject) => {
        looks.count++
        began.resolve((found) => (found instanceof Error ? reject(found) : resolve(found)))
        began = Promise.withResolvers()
      }),
  )
  const notified = Promise.withResolvers<void>()
  const forget = wake.listen({
    webhooks: () => void calls.push('webhooks'),
    workflows: () => {
      calls.push('workflows')
      notified.resolve()
    },
    work: () => void calls.push('work'),
  })
  return { wake, calls, looks, forget, notified: notified.promise, next: () => began.promise }
}

test('work calls every listener immediately', () => {
  const { wake, calls, looks } = steppedWake()
  wake.work()
  expect(calls).toEqual(['webhooks', 'workflows', 'work'])
  expect(looks.count).toBe(0)
})

test('events call only listeners that have entries', async () => {
  const { wake, calls, notified, next } = steppedWake()
  const first = next()
  wake.events()
  const answer = await first
  expect(calls).toEqual([])
  answer(['workflows'])
  await notified
  expect(calls).toEqual(['workflows'])
})

test('a consumer that recently had entries is called immediately', async () => {
  const { wake, calls, notified, next } = steppedWake()
  const first = next()
  wake.events()
  ;(await first)(['workflows'])
  await notified
  wake.events()
  expect(calls).toEqual(['workflows', 'workflows'])
})

test('events that are committed during a check cause one further check', async () => {
  const { wake, calls, looks, notified, next } = steppedWake()
  const first = next()
  wake.events()
  const answer = await first
  const second = next()
  for (let writes = 0; writes < 10; writes++) wake.events()
  answer([])
  ;(await second)(['workflows'])
  await notified
  expect({ calls, looks: looks.count }).toEqual({ calls: ['workflows'], looks: 2 })
})

test('a failed check is followed by the next one', async () => {
  const { wake, calls, notified, next } = steppedWake()
  const first = next()
  wake.events()
  const answer = await first
  const second = next()
  wake.events()
  answer(new Error('the database is away'))
  ;(await second)(['workflows'])
  await notified
  expect(calls).toEqual(['workflows'])
})

test('without a listener no checks run', () => {
  const { wake, calls, looks, forget } = steppedWake()
  forget()
  wake.events()
  wake.work()
  expect({ calls, looks: looks.count }).toEqual({ calls: [], looks: 0 })
})

test('onWrite passes the organization that wrote', () => {
  const { wake } = steppedWake()
  const written: (number | undefined)[] = []
  const stop = wake.onWrite((org) => written.push(org))
  wake.work(7)
  wake.events(8)
  wake.work()
  stop()
  wake.work(9)
  expect(written).toEqual([7, 8, undefined])
})
