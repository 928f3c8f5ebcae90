import { expect, test } from 'vitest'
import type { ServerProcess } from './server.ts'
import { supervise } from './supervise.ts'

const ended = (how: string): ServerProcess => ({
  pid: undefined,
  exited: Promise.resolve(how),
  hasExited: () => true,
  stop: async () => undefined,
})

test('a server that lacks space is restarted when there is space, also after many ends', async () => {
  const lines: string[] = []
  const looks = [false, false, false, true, false, true]
  let starts = 0
  const supervised = supervise(ended('PANIC'), {
    start: async () => {
      starts++
      // The last server runs until it is stopped.
      if (starts < 2) return ended('PANIC')
      const { promise, resolve } = Promise.withResolvers<string>()
      return { ...ended(''), exited: promise, stop: async () => resolve('stopped') }
    },
    onNotice: (line) => void lines.push(line),
    hasSpace: async () => looks.shift() ?? true,
    lookMs: 1,
  })
  await expect.poll(() => lines.filter((line) => line === 'PostgreSQL is running again')).toHaveLength(2)
  expect(lines.filter((line) => line.startsWith('PostgreSQL cannot start again'))).toHaveLength(2)
  expect(starts).toBe(2)
  await supervised.stop()
  expect(await supervised.ended).toBe('stopped')
})

test('a stop does not wait for space', async () => {
  const looked = Promise.withResolvers<void>()
  const supervised = supervise(ended('PANIC'), {
    start: () => Promise.reject(new Error('it must not be started')),
    onNotice: () => undefined,
    hasSpace: async () => {
      looked.resolve()
      return false
    },
  })
  await looked.promise
  await supervised.stop()
  expect(await supervised.ended).toBe('PANIC')
})
