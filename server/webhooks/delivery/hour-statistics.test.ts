import { expect, test } from 'vitest'
import { LATENCY_STEPS_MS } from '../../../contract/webhook-states.ts'
import { statisticsOf, stepOf } from './hour-statistics.ts'

test.each([
  [0, 0],
  [10, 0],
  [10.1, 1],
  [10_000, LATENCY_STEPS_MS.length - 1],
  [10_001, LATENCY_STEPS_MS.length],
])('%d ms lie in step %d', (durationMs, step) => {
  expect(stepOf(durationMs)).toBe(step)
})

test('attempts are counted by endpoint', () => {
  const row = { org: 1, endpoint: 'a', failure: null, durationMs: 20 }
  const rows = [
    row,
    { ...row, failure: 'status', durationMs: 20_000 },
    { ...row, endpoint: 'b', durationMs: 3 },
    row,
  ]
  expect(statisticsOf(rows)).toEqual([
    { org: 1, endpoint: 'a', succeeded: 2, failed: 1, latency: [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
    { org: 1, endpoint: 'b', succeeded: 1, failed: 0, latency: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
  ])
})
