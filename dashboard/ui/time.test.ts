import { expect, test } from 'vitest'
import { formatStamp } from './time.tsx'

const now = new Date(2026, 10, 25, 16).getTime()

test.each([
  ['a minute ago', new Date(2026, 10, 25, 15, 59), /^Nov 25, 3:59\sPM$/],
  ['last week', new Date(2026, 10, 18, 9, 5), /^Nov 18, 9:05\sAM$/],
  ['last year', new Date(2025, 10, 25, 9, 5), /^Nov 25, 2025$/],
])('in a column, %s is shown as a date', (_, date, words) =>
  expect(formatStamp(date.toISOString(), now)).toMatch(words),
)
