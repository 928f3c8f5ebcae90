import { expect, test } from 'vitest'
import { newIdAt } from '../base/id.ts'
import { lowestEventId, readTimestamp } from './timestamps.ts'

test.each([
  ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00.123456789+02:00', '2026-11-20T08:00:00.123Z'],
  ['2024-02-29T23:59:59-23:59', '2024-03-01T23:58:59.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('reads %s as %s', (text, iso) => {
  expect(readTimestamp(text)?.toISOString()).toBe(iso)
})

test.each([
  '2026-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '0000-06-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
])('rejects %s', (text) => {
  expect(readTimestamp(text)).toBeUndefined()
})

test('ids of events at or after a time are above its bound, earlier ids below', () => {
  const at = new Date('2026-11-20T10:00:00.500Z')
  expect(newIdAt(at) > lowestEventId(at)).toBe(true)
  expect(newIdAt(new Date(at.getTime() - 1)) < lowestEventId(at)).toBe(true)
  expect(lowestEventId(new Date('1900-01-01T00:00:00Z'))).toBe('00000000-0000-0000-0000-000000000000')
})
