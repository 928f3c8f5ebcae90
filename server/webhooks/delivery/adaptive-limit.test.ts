import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CONCURRENCY_MAX, createAdaptiveLimit } from './adaptive-limit.ts'

describe('createAdaptiveLimit', () => {
  test('is halved once by all requests in flight together, and again by one sent later', () => {
    const adaptive = createAdaptiveLimit(10)
    for (let n = 0; n < 10; n++) adaptive.overwhelmed(0, 5)
    expect(adaptive.limit).toBe(5)
    adaptive.overwhelmed(5, 9)
    expect(adaptive.limit).toBe(2)
  })

  test('grows by one with as many good answers as it is', () => {
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
