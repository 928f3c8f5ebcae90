import { expect, test } from 'vitest'
import { roundRobin } from './jobs.ts'

const SIGNAL = new AbortController().signal
const tasks = [
  { org: 1, name: 'a1' },
  { org: 1, name: 'a2' },
  { org: 2, name: 'b1' },
]

test('runs the first task of each organization before any second task', async () => {
  const order: string[] = []
  await roundRobin(tasks, { sliceMs: 60_000, signal: SIGNAL }, async ({ name }) => {
    order.push(name)
    return true
  })
  expect(order).toEqual(['a1', 'b1', 'a2'])
})

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

test('a task that is not done after its slice continues after the others', async () => {
  const order: string[] = []
  await roundRobin(tasks, { sliceMs: 5, signal: SIGNAL }, async ({ name }, signal) => {
    order.push(name)
    if (name !== 'a1' || order.length > 1) return true
    await aborted(signal)
    return false
  })
  expect(order).toEqual(['a1', 'b1', 'a2', 'a1'])
})

test('a waiting task gets no further slice, and no task starts after a stop', async () => {
  const order: string[] = []
  const stopping = new AbortController()
  await roundRobin(tasks, { sliceMs: 60_000, signal: stopping.signal }, async ({ name }) => {
    order.push(name)
    if (name === 'b1') stopping.abort()
    return false
  })
  expect(order).toEqual(['a1', 'b1'])
})
