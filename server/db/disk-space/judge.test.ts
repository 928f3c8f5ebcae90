import { describe, expect, test } from 'vitest'
import { checkAgainMs, type Fill, judgeFill, limitsOf } from './judge.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

describe('limits', () => {
  test.each([
    { size: 700 * MIB, given: undefined, min: 96, resume: 144, low: 480 },
    { size: 10 * GIB, given: undefined, min: 512, resume: 768, low: 2560 },
    { size: 20 * GIB, given: undefined, min: 1024, resume: 1536, low: 5120 },
    { size: 4096 * GIB, given: undefined, min: 1024, resume: 1536, low: 5120 },
    { size: 4096 * GIB, given: 200 * MIB, min: 200, resume: 300, low: 1000 },
    { size: 4096 * GIB, given: 100 * GIB, min: 102_400, resume: 102_912, low: 106_496 },
    { size: 700 * MIB, given: 0, min: 0, resume: 0, low: 0 },
  ])('follow a disk of $size bytes, where the setting is $given', ({ size, given, min, resume, low }) => {
    const limits = { minBytes: min * MIB, resumeBytes: resume * MIB, lowBytes: low * MIB }
    expect(limitsOf(size, given)).toEqual(limits)
  })
})

describe('a disk that fills and empties', () => {
  const limits = limitsOf(700 * MIB, 100 * MIB)
  const steps: [freeMib: number, fill: Fill][] = [
    [600, 'enough'],
    [499, 'low'],
    [100, 'low'],
    [99, 'full'],
    // Between the two limits the state does not change.
    [149, 'full'],
    [100, 'full'],
    [150, 'low'],
    [120, 'low'],
    [0, 'full'],
    [600, 'enough'],
  ]
  test.each(steps.map(([free, fill], at) => ({ before: steps[at - 1]?.[1] ?? 'enough', free, fill })))(
    '$before, then $free MiB: $fill',
    ({ before, free, fill }) => expect(judgeFill(before, free * MIB, limits)).toBe(fill),
  )
})

describe('the time until the next check', () => {
  const limits = { minBytes: GIB }
  test.each([
    { name: 'a full disk', free: [0], ms: 250 },
    { name: 'a disk near its limit', free: [1.5 * GIB], ms: 250 },
    { name: 'a disk that could be full in half a second', free: [3 * GIB], ms: 500 },
    { name: 'a disk that stays free for a second', free: [100 * GIB], ms: 1000 },
    { name: 'several disks: the fullest counts', free: [100 * GIB, 3 * GIB, 50 * GIB], ms: 500 },
  ])('$name', ({ free, ms }) =>
    expect(
      checkAgainMs(
        free.map((freeBytes) => ({ freeBytes, limits })),
        250,
      ),
    ).toBe(ms),
  )
})
