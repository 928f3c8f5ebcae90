import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSendTurns } from './dispatcher.ts'

test('a limited number of requests starts per event-loop turn, the others in later turns in order', async () => {
  const turn = createSendTurns(2)
  const started: number[] = []
  const start = async (n: number) => {
    await turn()
    started.push(n)
  }
  const all = Promise.all([1, 2, 3, 4, 5].map(start))
  await Promise.resolve()
  expect(started).toEqual([1, 2])
  await nextTurn()
  expect(started).toEqual([1, 2, 3, 4])
  await all
  expect(started).toEqual([1, 2, 3, 4, 5])
})

test('the limit is available again in a later turn', async () => {
  const turn = createSendTurns(1)
  expect(turn()).toBeUndefined()
  expect(turn()).toBeInstanceOf(Promise)
  for (let n = 0; n < 3; n++) await nextTurn()
  expect(turn()).toBeUndefined()
})
