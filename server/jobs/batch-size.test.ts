import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BatchBounds, createBatchSize } from './batch-size.ts'

const bounds: BatchBounds = { first: 500, min: 100, max: 5000, ms: 1000 }

/** Sizes of batches, if each row of a batch takes `msOf` milliseconds. */
function sizesOf(batches: number, msOf: (batch: number) => number): number[] {
  const size = createBatchSize(bounds)
  return Array.from({ length: batches }, (_, batch) => {
    const { rows } = size
    size.took(rows, rows * msOf(batch))
    return rows
  })
}

test('follows the measured time, at most doubling or halving', () => {
  expect(sizesOf(5, () => 0.4)).toEqual([500, 1000, 2000, 2500, 2500])
  expect(sizesOf(6, () => 0.01).at(-1)).toBe(bounds.max)
  expect(sizesOf(4, () => 5)).toEqual([500, 250, 200, 200])
  expect(sizesOf(9, () => 1000).at(-1)).toBe(bounds.min)
})

test('halves only the next batch after one slow batch', () => {
  expect(sizesOf(7, (batch) => (batch === 4 ? 100 : 0.4)).slice(4)).toEqual([2500, 1250, 2500])
})

test('uses the time per row if a batch had fewer rows than its size', () => {
  const size = createBatchSize(bounds)
  size.took(10, 8)
  expect(size.rows).toBe(1000)
})

test('is a whole number within its bounds, for any duration of a batch', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(10_000), fc.double({ min: 0, max: 1e6, noNaN: true }))),
      (batches) => {
        const size = createBatchSize(bounds)
        for (const [rows, ms] of batches) size.took(rows, ms)
        expect(Number.isInteger(size.rows)).toBe(true)
        expect(size.rows).toBeGreaterThanOrEqual(bounds.min)
        expect(size.rows).toBeLessThanOrEqual(bounds.max)
      },
    ),
  )
})
