// The ids of new rows.
import { UUID } from 'uuidv7'
import { expect, test } from 'vitest'
import { idTime, newId } from './id.ts'

const COUNT = 2000
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('ids are UUIDv7, in the same text form as the library returns', () => {
  for (let made = 0; made < COUNT; made++) {
    const id = newId()
    expect(id).toMatch(UUID_V7)
    expect(UUID.parse(id).toString()).toBe(id)
  }
})

test('each id is greater than the last one, and contains the time', () => {
  const before = Date.now()
  const ids = Array.from({ length: COUNT }, newId)
  expect(ids).toEqual([...new Set(ids)].sort())
  expect(idTime(ids[0] ?? '')).toBeGreaterThanOrEqual(before)
  expect(idTime(ids.at(-1) ?? '')).toBeLessThanOrEqual(Date.now() + 1)
})
