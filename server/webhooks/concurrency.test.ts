import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CONCURRENCY_MAX, createConcurrency } from './concurrency.ts'

describe('createConcurrency', () => {
  test('is halved once by all that was under way together, and again by what was sent later', () => {
    const concurrency = createConcurrency(10)
    for (let n = 0; n < 10; n++) concurrency.overwhelmed(0, 5)
    expect(concurrency.limit).toBe(5)
    concurrency.overwhelmed(5, 9)
    expect(concurrency.limit).toBe(2)
  })

  test('grows by one with as many good answers as it is', () => {
    const concurrency = createConcurrency(2)
    concurrency.succeeded()
    expect(concurrency.limit).toBe(2)
    concurrency.succeeded()
    expect(concurrency.limit).toBe(3)
  })

  test('stays between one and ten, whatever happens', () => {
    const step = fc.record({ good: fc.boolean(), sentAt: fc.nat(100), took: fc.nat(100) })
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 50 }), fc.array(step), (initial, steps) => {
        const concurrency = createConcurrency(initial)
        for (const { good, sentAt, took } of steps) {
          if (good) concurrency.succeeded()
          else concurrency.overwhelmed(sentAt, sentAt + took)
          expect(concurrency.limit).toBeGreaterThanOrEqual(1)
          expect(concurrency.limit).toBeLessThanOrEqual(CONCURRENCY_MAX)
        }
      }),
    )
  })
})
