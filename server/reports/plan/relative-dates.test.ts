import { expect, test } from 'vitest'
import { RELATIVE_DATES } from '../../../contract/report-states.ts'
import { dayIn, relativeDays } from './relative-dates.ts'

// 2026-11-20 is a Friday.
const FROM_FRIDAY = {
  today: ['2026-11-20', '2026-11-20'],
  yesterday: ['2026-11-19', '2026-11-19'],
  tomorrow: ['2026-11-21', '2026-11-21'],
  this_week: ['2026-11-16', '2026-11-22'],
  last_week: ['2026-11-09', '2026-11-15'],
  next_week: ['2026-11-23', '2026-11-29'],
  this_month: ['2026-11-01', '2026-11-30'],
  last_month: ['2026-10-01', '2026-10-31'],
  next_month: ['2026-12-01', '2026-12-31'],
  this_quarter: ['2026-10-01', '2026-12-31'],
  last_quarter: ['2026-07-01', '2026-09-30'],
  next_quarter: ['2027-01-01', '2027-03-31'],
  this_year: ['2026-01-01', '2026-12-31'],
  last_year: ['2025-01-01', '2025-12-31'],
  next_year: ['2027-01-01', '2027-12-31'],
  month_to_date: ['2026-11-01', '2026-11-20'],
  quarter_to_date: ['2026-10-01', '2026-11-20'],
  year_to_date: ['2026-01-01', '2026-11-20'],
  last_7_days: ['2026-11-14', '2026-11-20'],
  last_30_days: ['2026-10-22', '2026-11-20'],
  last_90_days: ['2026-08-23', '2026-11-20'],
  last_365_days: ['2025-11-21', '2026-11-20'],
  next_7_days: ['2026-11-20', '2026-11-26'],
  next_30_days: ['2026-11-20', '2026-12-19'],
  next_90_days: ['2026-11-20', '2027-02-17'],
} as const

test.each(RELATIVE_DATES)('%s', (name) => {
  const [from, to] = FROM_FRIDAY[name]
  expect(relativeDays(name, '2026-11-20')).toEqual({ from, to })
})

test.each([
  ['last_month', '2024-03-31', '2024-02-01', '2024-02-29'],
  ['last_quarter', '2026-01-01', '2025-10-01', '2025-12-31'],
  ['this_week', '2026-11-22', '2026-11-16', '2026-11-22'],
  ['this_week', '2026-11-23', '2026-11-23', '2026-11-29'],
  ['next_year', '2026-12-31', '2027-01-01', '2027-12-31'],
] as const)('%s from %s', (name, today, from, to) => {
  expect(relativeDays(name, today)).toEqual({ from, to })
})

test('a timestamp can be on different days in different time zones', () => {
  const time = new Date('2026-11-20T23:30:00Z')
  expect(dayIn(time, 'UTC')).toBe('2026-11-20')
  expect(dayIn(time, 'Europe/Berlin')).toBe('2026-11-21')
  expect(dayIn(new Date('2026-11-20T04:30:00Z'), 'America/New_York')).toBe('2026-11-19')
})
