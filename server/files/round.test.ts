import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { beginRound } from './round.ts'
import type { FileRow } from './store.ts'

const log = pino({ level: 'silent' })
const begin = () => beginRound({ log }, new AbortController().signal)
const filesOf = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ id: `${number}`, key: `key-${number}` }) as FileRow)
const failing = () => vi.fn(() => Promise.reject(new Error('away')))

test('a store that does nothing is asked ten times, and ten times more for the next kind of work', async () => {
  const { each, end, failed } = begin()
  const work = failing()
  expect(await each(filesOf(200), work)).toBe(0)
  expect(work).toHaveBeenCalledTimes(10)
  expect(await each(filesOf(3), work)).toBe(3)
  expect(failed).toHaveLength(13)
  expect(end).toThrow('away')
})

test('files that fail now and then keep no other, and are left out from then on', async () => {
  const { each, end, failed } = begin()
  const work = vi.fn(({ id }: FileRow) =>
    Number(id) % 10 === 9 ? Promise.resolve() : Promise.reject(new Error(id)),
  )
  expect(await each(filesOf(200), work)).toBe(200)
  expect(work).toHaveBeenCalledTimes(200)
  expect(failed).toHaveLength(180)
  expect(end).toThrow('0')
})

test('a round without failures ends in peace', async () => {
  const { each, end } = begin()
  expect(await each(filesOf(2), () => Promise.resolve())).toBe(2)
  expect(end).not.toThrow()
})
