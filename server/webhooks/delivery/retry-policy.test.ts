import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GIVE_UP_AFTER_MS, nextAttempt, retryAfterMs } from './retry-policy.ts'

const start = new Date('2026-11-21T15:00:00.000Z')
const later = (ms: number, from = start) => new Date(from.getTime() + ms)
const giveUpAt = later(GIVE_UP_AFTER_MS)
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

const next = (failed: Partial<Parameters<typeof nextAttempt>[0]>) =>
  nextAttempt({ tries: 1, now: start, giveUpAt, retryAfterMs: undefined, random: () => 0.5, ...failed })

describe('nextAttempt', () => {
  test.each([
    [1, 5 * SECOND, 0.2],
    [2, 30 * SECOND, 0.2],
    [3, 2 * MINUTE, 0.2],
    [4, 10 * MINUTE, 0.2],
    [5, 30 * MINUTE, 0.2],
    [6, 1 * HOUR, 0.05],
    [7, 3 * HOUR, 0.05],
    [8, 6 * HOUR, 0.05],
    [9, 12 * HOUR, 0.05],
    [10, 20 * HOUR, 0.05],
    [11, 24 * HOUR, 0.05],
  ])('after %i failures, the next attempt is in %i ms, plus or minus a share of %d', (tries, ms, share) => {
    expect(next({ tries })).toEqual(later(ms))
    expect(next({ tries, random: () => 0 })).toEqual(later(ms * (1 - share)))
    expect(next({ tries, random: () => 0.999_999_999_999 })).toEqual(later(ms * (1 + share)))
  })

  test('returns undefined after the twelfth failure', () => {
    expect(next({ tries: 12 })).toBeUndefined()
  })

  test.each([
    ['less than the schedule', 3 * SECOND, 5 * SECOND],
    ['more than the schedule', 10 * MINUTE, 10 * MINUTE],
    ['exactly the retry window', 72 * HOUR, 72 * HOUR],
    ['more than the retry window', 72 * HOUR + 1, 72 * HOUR - MINUTE],
    ['the largest number', Number.MAX_SAFE_INTEGER, 72 * HOUR - MINUTE],
  ])('takes the schedule, Retry-After or the end of the window for a Retry-After of %s', (_, asked, ms) => {
    expect(next({ retryAfterMs: asked })).toEqual(later(ms))
  })

  test('uses the schedule when a last attempt before the end would be earlier', () => {
    const now = later(-30 * SECOND, giveUpAt)
    expect(next({ now, retryAfterMs: HOUR })).toEqual(later(5 * SECOND, now))
    expect(next({ now, retryAfterMs: HOUR, tries: 3 })).toBeUndefined()
  })

  test('gives up when the next attempt would be after the end', () => {
    expect(next({ now: later(-5 * SECOND, giveUpAt) })).toEqual(giveUpAt)
    expect(next({ now: later(-5 * SECOND + 1, giveUpAt) })).toBeUndefined()
    expect(next({ now: later(1, giveUpAt) })).toBeUndefined()
  })

  const anyWait = fc.option(fc.nat({ max: 2 * GIVE_UP_AFTER_MS }), { nil: undefined })
  const anyFailure = fc.record({
    tookMs: fc.nat({ max: 15_000 }),
    wait: anyWait,
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  })

  test('allows at most 12 attempts in order, none after 72 h, for any responses', () => {
    fc.assert(
      fc.property(fc.array(anyFailure, { minLength: 12, maxLength: 12 }), (failures) => {
        let at = start
        for (const [index, { tookMs, wait, random }] of failures.entries()) {
          const now = later(tookMs, at)
          const due = next({ tries: index + 1, now, retryAfterMs: wait, random: () => random })
          if (due === undefined) return
          expect(due.getTime()).toBeGreaterThan(now.getTime())
          expect(due.getTime()).toBeLessThanOrEqual(giveUpAt.getTime())
          if (wait !== undefined && later(wait, now) <= giveUpAt)
            expect(due.getTime()).toBeGreaterThanOrEqual(now.getTime() + wait)
          at = due
        }
        expect.unreachable('a thirteenth attempt')
      }),
    )
  })

  test('allows all 12 attempts within 72 h with maximum jitter and response times', () => {
    let at = start
    for (let tries = 1; tries < 12; tries++) {
      const due = next({ tries, now: later(15_000, at), random: () => 1 - Number.EPSILON })
      if (due === undefined) expect.unreachable(`given up after ${tries}`)
      at = due
    }
    expect(at.getTime()).toBeLessThan(giveUpAt.getTime())
  })
})

describe('retryAfterMs', () => {
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['1000000000', 1e12],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['Sat, 21 Nov 2026 15:01:00 GMT', 60_000],
    ['Saturday, 21-Nov-26 15:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 14:00:00 GMT', 0],
    ['Sat, 99 Nov 2026 14:00:00 GMT', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['5 minutes', undefined],
    ['2026-11-21T15:01:00Z', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s → %s', (header, ms) => {
    expect(retryAfterMs(header, start)).toBe(ms)
  })

  test('parses every date that JavaScript writes for HTTP', () => {
    const anyDate = fc.date({ min: start, max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
    fc.assert(
      fc.property(anyDate, (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000
        expect(retryAfterMs(date.toUTCString(), start)).toBe(Math.max(0, seconds - start.getTime()))
      }),
    )
  })

  test('is never negative or NaN, for any header', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ms = retryAfterMs(text, start)
        expect(ms === undefined || ms >= 0).toBe(true)
      }),
    )
  })
})
