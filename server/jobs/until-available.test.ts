import { expect, test } from 'vitest'
import { untilAvailable } from './until-available.ts'

const full = Object.assign(new Error('could not extend file'), { code: '53100' })

/** @param tries what each of them throws; the last answers */
function beginning(tries: unknown[]) {
  const seen: unknown[] = []
  const left = [...tries]
  const begin = async () => {
    if (left.length > 0) throw left.shift()
    return 'begun'
  }
  return { seen, begin, onAway: (error: unknown) => void seen.push(error) }
}

test('a database that is away is waited for', async () => {
  const { seen, begin, onAway } = beginning([full, full])
  expect(await untilAvailable(begin, { isWanted: () => true, onAway, pauseMs: 1 })).toBe('begun')
  expect(seen).toEqual([full, full])
})

test('it is given up when it is no longer wanted, as on a full disk', async () => {
  const { seen, begin, onAway } = beginning([full, full])
  const isWanted = () => seen.length === 0
  expect(await untilAvailable(begin, { isWanted, onAway, pauseMs: 1 })).toBeUndefined()
})

test('any other error is thrown', async () => {
  const error = new Error('no such table')
  const { seen, begin, onAway } = beginning([error])
  await expect(untilAvailable(begin, { isWanted: () => true, onAway, pauseMs: 1 })).rejects.toBe(error)
  expect(seen).toEqual([])
})
