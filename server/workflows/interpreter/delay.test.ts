import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { delayUntil } from './delay.ts'
import { localOf, timestampInZone } from './zones.ts'

const at = (input: Record<string, unknown>, now = '2026-11-20T10:00:00.000Z', timeZone = 'Europe/Berlin') => {
  const found = delayUntil(input, { now: new Date(now), startedAt: now, timeZone })
  return 'until' in found ? found.until.toISOString() : found.problem
}

describe('a delay', () => {
  test.each([
    [{ seconds: 90 }, '2026-11-20T10:01:30.000Z'],
    [{ until: '2026-11-25' }, '2026-11-24T23:00:00.000Z'],
    [{ until: '2026-11-25', timeOfDay: '09:30' }, '2026-11-25T08:30:00.000Z'],
    [{ until: '2026-11-25', timeOfDay: '09:30', timezone: 'America/New_York' }, '2026-11-25T14:30:00.000Z'],
    [{ until: '2026-11-25T08:00:00+02:00' }, '2026-11-25T06:00:00.000Z'],
    // The 26th in Berlin.
    [{ until: '2026-11-25T23:30:00Z', timeOfDay: '08:00' }, '2026-11-26T07:00:00.000Z'],
    [{ until: '2020-01-01' }, '2019-12-31T23:00:00.000Z'],
    [{ timeOfDay: '11:00' }, '2026-11-20T10:00:00.000Z'],
    [{ timeOfDay: '11:01' }, '2026-11-20T10:01:00.000Z'],
    [{ timeOfDay: '10:59' }, '2026-11-21T09:59:00.000Z'],
    [{ timeOfDay: '00:00', timezone: 'Pacific/Kiritimati' }, '2026-11-20T10:00:00.000Z'],
  ])('%j ends at %s', (input, expected) => expect(at(input)).toBe(expected))

  test.each([
    [{}, 'no duration'],
    [{ until: null }, 'empty'],
    [{ until: '' }, 'empty'],
    [{ until: 'next week' }, 'not a date'],
    [{ until: 20261125 }, 'not a date'],
    [{ until: '2026-02-30' }, 'not a date'],
    [{ timeOfDay: '10:00', timezone: 'Mars/Olympus' }, 'not a time zone'],
    [{ until: '2026-12-21' }, 'at most 30 days'],
    [{ seconds: 30 * 86_400 + 1 }, 'at most 30 days'],
  ])('%j fails with the problem: %s', (input, expected) => expect(at(input)).toContain(expected))
})

describe('when clocks change', () => {
  test.each([
    // 29 March 2026: 02:00 becomes 03:00. A skipped time is an hour later.
    ['2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29', '01:59', '2026-03-29T00:59:00.000Z'],
    ['2026-03-29', '03:00', '2026-03-29T01:00:00.000Z'],
    // 25 October 2026: 03:00 becomes 02:00. For a time that comes twice, the first is used.
    ['2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25', '03:00', '2026-10-25T02:00:00.000Z'],
  ])('%s %s in Berlin', (until, timeOfDay, expected) => {
    expect(at({ until, timeOfDay }, `${until}T00:00:00.000Z`)).toBe(expected)
  })

  test('a day whose midnight is skipped starts an hour later', () => {
    expect(at({ until: '2018-11-04' }, '2018-11-03T12:00:00.000Z', 'America/Sao_Paulo')).toBe(
      '2018-11-04T03:00:00.000Z',
    )
  })

  test('after the first of two equal times, the next is tomorrow', () => {
    expect(at({ timeOfDay: '02:30' }, '2026-10-25T01:00:00.000Z')).toBe('2026-10-26T01:30:00.000Z')
  })
})

test('property: the result has the requested local time, except in a gap', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC']
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1980-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
      fc.constantFrom(...zones),
      (date, zone) => {
        const ms = Math.floor(date.getTime() / 1000) * 1000
        const shown = localOf(ms, zone)
        const back = timestampInZone(shown, zone)
        expect(String(localOf(back, zone))).toBe(String(shown))
        expect(back).toBeLessThanOrEqual(ms)
      },
    ),
    { numRuns: 2000 },
  )
})
