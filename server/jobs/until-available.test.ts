import { expect, test } from 'vitest'
import { untilAvailable } from './until-available.ts'

const full = Object.assign(new Error('could not extend file'), { code: '53100' })

/** @param tries the error that each try throws; the try after them succeeds */
function beginning(tries: unknown[]) {
  const seen: unknown[] = []
  const left = [...tries]
  const begin = async () => {
    if (left.length > 0) throw left.shift()
    return 'begun'
  }
  return { seen, begin, onAway: (error: unknown) => void seen.push(error) }
}

test('waits for an unavailable database', async () => {
  const { seen, begin, onAway } = beginning([full, full])
  expect(await untilAvailable(begin, { isWanted: () => true, onAway, pauseMs: 1 })).toBe('begun')
  expect(seen).toEqual([full, full])
})

test('stops waiting when the work is no longer wanted, for example on a full disk', async () => {
  const { seen, begin, onAway } = beginning([full, full])
  const isWanted = () => seen.length === 0
  expect(await untilAvailable(begin, { isWanted, onAway, pauseMs: 1 })).toBeUndefined()
})

test('throws any other error', async () => {
  const error = new Error('no such table')
  const { seen, begin, onAway } = beginning([error])
  await expect(untilAvailable(begin, { isWanted: () => true, onAway, pauseMs: 1 })).rejects.toBe(error)
  expect(seen).toEqual([])
})
