import { expect, test } from 'vitest'
import { yieldToEventLoop } from './event-loop.ts'

/** Counts the iterations of the event loop. */
async function counting<Result>(work: (turn: () => number) => Promise<Result>): Promise<Result> {
  let turns = 0
  let isOver = false
  const next = () => {
    turns++
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  return work(() => turns).finally(() => {
    isOver = true
  })
}

test('concurrent callers each continue in a separate iteration of the event loop', async () => {
  const seen = await counting((turn) =>
    Promise.all(Array.from({ length: 10 }, () => yieldToEventLoop().then(turn))),
  )
  expect(new Set(seen).size).toBe(10)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
})
