import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchForStall } from './stall.ts'

const shutdown = Object.assign(new Error('terminating connection'), { code: '57P01' })
const servers: [string, () => Promise<unknown>, boolean][] = [
  ['responds', () => delay(5), false],
  ['shuts down', () => Promise.reject(shutdown), true],
  ['closes the connection', () => Promise.reject(new Error('Connection terminated')), true],
  ['does not answer', () => new Promise(() => undefined), true],
]

test.each(servers)('a server that %s: whether a read has stalled', async (_, ask, isStalled) => {
  const watch = watchForStall(ask, 20)
  await delay(20)
  expect(await watch.isStalled()).toBe(isStalled)
  watch.stop()
})

test('a read that takes less than half of its time limit sends no probe', async () => {
  let asked = 0
  const watch = watchForStall(async () => asked++, 200)
  expect(await watch.isStalled()).toBe(false)
  watch.stop()
  await delay(150)
  expect(asked).toBe(0)
})
