import { expect, test } from 'vitest'
import { formatLatency, formatRate, formatWaiting, latencyPhrase, ratePhrase } from './stats-words.ts'

test.each([
  [1, '100%'],
  [0.9999, '99.9%'],
  [0.982, '98.2%'],
  [0.57, '57%'],
  [0, '0%'],
])('formats the rate %s as %s', (rate, text) => expect(formatRate(rate)).toBe(text))

test.each([
  [10, '≤ 10 ms'],
  [2500, '≤ 2.5 s'],
  [15_000, '≤ 15 s'],
])('formats %s ms as %s', (ms, text) => expect(formatLatency(ms)).toBe(text))

const stats = { hours: [], succeeded: 1203, failed: 1, successRate: 1203 / 1204, medianMs: 50, p95Ms: 1000 }
const nothing = { hours: [], succeeded: 0, failed: 0, successRate: null, medianMs: null, p95Ms: null }

test('describes a day', () => {
  expect(ratePhrase(stats)).toBe('99.9% of 1,204 attempts succeeded in the last 24 hours, 1 failed')
  expect(latencyPhrase(stats)).toBe(
    'Half of the attempts took ≤ 50 ms, 95 of 100 took ≤ 1 s in the last 24 hours',
  )
})

test('describes a day without attempts', () => {
  expect(ratePhrase(nothing)).toBe('No attempts in the last 24 hours')
  expect(latencyPhrase(nothing)).toBe('No attempts in the last 24 hours')
})

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000+'],
])('formats %s waiting deliveries as %s', (waiting, text) => expect(formatWaiting(waiting)).toBe(text))
