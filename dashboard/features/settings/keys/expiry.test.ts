import { describe, expect, test } from 'vitest'
import { expiresAt, expiryState } from './expiry.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')

describe('expiresAt', () => {
  test('returns null for never, a time for a number of days, and the end of a chosen day', () => {
    expect(expiresAt('never', '', now)).toBeNull()
    expect(expiresAt('30', '', now)).toBe('2026-12-20T12:00:00.000Z')
    expect(expiresAt('date', '2026-12-31', now)).toBe(new Date('2026-12-31T23:59:59').toISOString())
    expect(expiresAt('date', '', now)).toBeUndefined()
  })
})

test.each([
  [null, 'never'],
  ['2026-11-20T12:00:00.000Z', 'expired'],
  ['2026-11-20T12:00:01.000Z', 'soon'],
  ['2026-11-27T12:00:00.000Z', 'soon'],
  ['2026-11-27T12:00:01.000Z', 'later'],
] as const)('the expiry state of %s is %s', (at, state) => expect(expiryState(at, now)).toBe(state))
