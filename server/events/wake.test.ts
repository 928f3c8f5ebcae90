import { expect, test } from 'vitest'
import type { Reader } from './markers.ts'
import { createWake } from './wake.ts'

/** A wake whose looks for markers are answered one by one, and what its listener heard. */
function steppedWake() {
  const heard: string[] = []
  let began = Promise.withResolvers<(found: readonly Reader[] | Error) => void>()
  const looks = { count: 0 }
  const wake = createWake(
    () =>
      new Promise((resolve, reject) => {
        looks.count++
        began.resolve((found) => (found instanceof Error ? reject(found) : resolve(found)))
        began = Promise.withResolvers()
      }),
  )
  const told = Promise.withResolvers<void>()
  const forget = wake.listen({
    webhooks: () => void heard.push('webhooks'),
    workflows: () => {
      heard.push('workflows')
      told.resolve()
    },
    work: () => void heard.push('work'),
  })
  return { wake, heard, looks, forget, told: told.promise, next: () => began.promise }
}

test('work is told to everybody at once', () => {
  const { wake, heard, looks } = steppedWake()
  wake.work()
  expect(heard).toEqual(['webhooks', 'workflows', 'work'])
  expect(looks.count).toBe(0)
})

test('of events only those hear whose markers are there', async () => {
  const { wake, heard, told, next } = steppedWake()
  const first = next()
  wake.events()
  const answer = await first
  expect(heard).toEqual([])
  answer(['workflows'])
  await told
  expect(heard).toEqual(['workflows'])
})

test('events that are committed during a look are looked for again, however many', async () => {
  const { wake, heard, looks, told, next } = steppedWake()
  const first = next()
  wake.events()
  const answer = await first
  const second = next()
  for (let writes = 0; writes < 10; writes++) wake.events()
  answer([])
  ;(await second)(['workflows'])
  await told
  expect({ heard, looks: looks.count }).toEqual({ heard: ['workflows'], looks: 2 })
})

test('a look that failed is followed by the next one', async () => {
  const { wake, heard, told, next } = steppedWake()
  const first = next()
  wake.events()
  const answer = await first
  const second = next()
  wake.events()
  answer(new Error('the database is away'))
  ;(await second)(['workflows'])
  await told
  expect(heard).toEqual(['workflows'])
})

test('where nobody listens nothing is looked for', () => {
  const { wake, heard, looks, forget } = steppedWake()
  forget()
  wake.events()
  wake.work()
  expect({ heard, looks: looks.count }).toEqual({ heard: [], looks: 0 })
})
