import { describe, expect, test } from 'vitest'
import { LATENCY_STEPS_MS } from '../../../contract/webhook-states.ts'
import { lastHours, quantileMs, statsOf } from './stats.ts'

/** The array of counts from counts by step index. */
const steps = (counts: Record<number, number>) =>
  Array.from({ length: LATENCY_STEPS_MS.length + 1 }, (_, step) => counts[step] ?? 0)

describe('a quantile of latency steps', () => {
  test.each([
    ['no attempts', {}, 0.5, null],
    ['one attempt, median', { 2: 1 }, 0.5, 50],
    ['one attempt, 95%', { 2: 1 }, 0.95, 50],
    ['two halves: the lower step', { 0: 5, 4: 5 }, 0.5, 10],
    ['one more in the upper step', { 0: 5, 4: 6 }, 0.5, 250],
    ['95 of 100', { 0: 95, 6: 5 }, 0.95, 10],
    ['94 of 100', { 0: 94, 6: 6 }, 0.95, 1000],
    ['the last closed step', { 9: 1 }, 0.5, 10_000],
    ['the open step: the time limit', { 10: 1 }, 0.5, 15_000],
    ['empty steps between', { 1: 1, 8: 2 }, 0.5, 5000],
  ])('%s', (_, counts, share, expected) => {
    expect(quantileMs(steps(counts), share)).toBe(expected)
  })

  test('is null for an empty array', () => {
    expect(quantileMs([], 0.5)).toBeNull()
  })
})

describe('the last 24 hours', () => {
  const hours = lastHours(new Date('2026-11-21T10:59:59.999Z'))

  test('end with the current hour', () => {
    expect([hours.length, hours[0], hours[22], hours[23]]).toEqual([
      24,
      '2026-11-20T11:00:00.000Z',
      '2026-11-21T09:00:00.000Z',
      '2026-11-21T10:00:00.000Z',
    ])
    expect(lastHours(new Date('2026-11-21T11:00:00.000Z')).at(-1)).toBe('2026-11-21T11:00:00.000Z')
  })

  test('without attempts have null rates, and zero counts for every hour', () => {
    const { hours: filled, ...sums } = statsOf([], hours)
    expect(sums).toEqual({ succeeded: 0, failed: 0, successRate: null, medianMs: null, p95Ms: null })
    expect(filled.map(({ hour }) => hour)).toEqual(hours)
    expect(
      new Set(filled.map(({ succeeded, failed, medianMs }) => `${succeeded} ${failed} ${medianMs}`)),
    ).toEqual(new Set(['0 0 null']))
  })

  test('are added up; earlier hours do not count', () => {
    const row = (hour: string, succeeded: number, failed: number, counts: Record<number, number>) => ({
      hour,
      succeeded,
      failed,
      latency: steps(counts),
    })
    const stats = statsOf(
      [
        row('2026-11-21T10:00:00.000Z', 3, 1, { 1: 3, 10: 1 }),
        row('2026-11-20T11:00:00.000Z', 6, 0, { 0: 6 }),
        row('2026-11-20T10:00:00.000Z', 0, 99, { 9: 99 }),
      ],
      hours,
    )
    expect(stats).toMatchObject({ succeeded: 9, failed: 1, successRate: 0.9, medianMs: 10, p95Ms: 15_000 })
    expect(stats.hours[0]).toEqual({ hour: hours[0], succeeded: 6, failed: 0, medianMs: 10 })
    expect(stats.hours[23]).toEqual({ hour: hours[23], succeeded: 3, failed: 1, medianMs: 25 })
  })
})
