import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RateWindows } from './rate-windows.ts'

const START = 1_800_000_000_500
const MINUTE = 60_000

test('a window begins with the first request and counts down', () => {
  const windows = new RateWindows(MINUTE, 10)
  const first = windows.count('a', 3, START)
  expect(first).toEqual({ limit: 3, remaining: 2, resetAt: 1_800_000_061, retryAfter: 60, exceeded: false })
  expect(windows.count('a', 3, START + 30_000)).toMatchObject({ remaining: 1, retryAfter: 30 })
  expect(windows.count('a', 3, START + 59_000)).toMatchObject({ remaining: 0, exceeded: false })
  expect(windows.count('a', 3, START + 59_999)).toEqual({
    limit: 3,
    remaining: 0,
    resetAt: 1_800_000_061,
    retryAfter: 1,
    exceeded: true,
  })
  expect(windows.count('b', 3, START)).toMatchObject({ remaining: 2 })
})

test('a refused request does not prolong the window', () => {
  const windows = new RateWindows(MINUTE, 10)
  windows.count('a', 1, START)
  expect(windows.count('a', 1, START + MINUTE - 1).exceeded).toBe(true)
  expect(windows.count('a', 1, START + MINUTE)).toMatchObject({
    remaining: 0,
    exceeded: false,
    retryAfter: 60,
  })
})

test('a clock that was set back does not prolong the window', () => {
  const windows = new RateWindows(MINUTE, 10)
  windows.count('a', 1, START)
  expect(windows.count('a', 1, START - 3_600_000)).toMatchObject({ exceeded: false, retryAfter: 60 })
})

test('the number of windows is limited in a flood, and the newest windows are kept', () => {
  const windows = new RateWindows(MINUTE, 100)
  for (let index = 0; index < 1000; index++) windows.count(`address ${index}`, 1, START)
  expect(windows.size).toBe(100)
  expect(windows.count('address 999', 1, START).exceeded).toBe(true)
  expect(windows.count('address 0', 1, START).exceeded).toBe(false)
})

test('ended windows are removed when new windows begin', () => {
  const windows = new RateWindows(MINUTE, 1000)
  for (let index = 0; index < 100; index++) windows.count(`early ${index}`, 1, START)
  for (let index = 0; index < 100; index++) windows.count(`late ${index}`, 1, START + MINUTE)
  expect(windows.size).toBe(100)
})

test('within a window exactly `limit` requests of a bucket pass, in any order of buckets', () => {
  const requests = fc.array(fc.record({ bucket: fc.constantFrom('a', 'b', 'c'), waitMs: fc.nat(5000) }), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(requests, fc.integer({ min: 1, max: 5 }), (list, limit) => {
      const windows = new RateWindows(MINUTE, 10)
      const model = new Map<string, { endsAt: number; requests: number }>()
      let now = START
      for (const { bucket, waitMs } of list) {
        now += waitMs
        const known = model.get(bucket)
        const window = known && known.endsAt > now ? known : { endsAt: now + MINUTE, requests: 0 }
        window.requests++
        model.set(bucket, window)
        expect(windows.count(bucket, limit, now).exceeded).toBe(window.requests > limit)
      }
    }),
  )
})
