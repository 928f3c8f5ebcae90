import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CONCURRENCY_MAX, createAdaptiveLimit, createRateLimiter } from './endpoint-limits.ts'

describe('createAdaptiveLimit', () => {
  test('is halved once for all requests in flight, and again for a request sent later', () => {
    const adaptive = createAdaptiveLimit(10)
    for (let n = 0; n < 10; n++) adaptive.overwhelmed(0, 5)
    expect(adaptive.limit).toBe(5)
    adaptive.overwhelmed(5, 9)
    expect(adaptive.limit).toBe(2)
  })

  test('grows by one after as many successes as its value', () => {
    const adaptive = createAdaptiveLimit(2)
    adaptive.succeeded()
    expect(adaptive.limit).toBe(2)
    adaptive.succeeded()
    expect(adaptive.limit).toBe(3)
  })

  test('stays between one and ten after any sequence', () => {
    const step = fc.record({ good: fc.boolean(), sentAt: fc.nat(100), took: fc.nat(100) })
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 50 }), fc.array(step), (initial, steps) => {
        const adaptive = createAdaptiveLimit(initial)
        for (const { good, sentAt, took } of steps) {
          if (good) adaptive.succeeded()
          else adaptive.overwhelmed(sentAt, sentAt + took)
          expect(adaptive.limit).toBeGreaterThanOrEqual(1)
          expect(adaptive.limit).toBeLessThanOrEqual(CONCURRENCY_MAX)
        }
      }),
    )
  })
})

/** Times in ms at which requests are sent; `pauses`: how long no request is ready before each. */
function send(rate: number, pauses: readonly number[]): number[] {
  const limiter = createRateLimiter(rate)
  let now = 0
  return pauses.map((pause) => {
    now += pause
    now += limiter.waitMs(now)
    limiter.sent(now)
    return now
  })
}

describe('createRateLimiter', () => {
  test('without a limit no request waits', () => {
    const limiter = createRateLimiter(null)
    limiter.sent(0)
    expect(limiter.waitMs(0)).toBe(0)
  })

  test('two requests per second are half a second apart', () => {
    expect(send(2, [0, 0, 0, 700, 0])).toEqual([0, 500, 1000, 1700, 2200])
  })

  test('unused capacity of the last tenth of a second can be used later', () => {
    const times = send(100, [0, ...Array<number>(5).fill(0), 1000, ...Array<number>(20).fill(0)])
    const later = times.slice(6)
    expect(later.filter((at) => at === later[0])).toHaveLength(10)
    expect((later[19] ?? 0) - (later[18] ?? 0)).toBeCloseTo(10)
  })

  test('at most 110% of the rate, and one more request, is sent in a second', () => {
    const rates = fc.integer({ min: 1, max: 1000 })
    fc.assert(
      fc.property(rates, fc.array(fc.nat(300), { minLength: 1, maxLength: 200 }), (rate, pauses) => {
        const times = send(rate, pauses)
        for (const [n, at] of times.entries()) {
          const within = times.slice(n).filter((other) => other < at + 1000 - 1e-6).length
          expect(within).toBeLessThanOrEqual(rate * 1.1 + 1)
        }
      }),
    )
  })
})
