import { expect, test } from 'vitest'
import { RELATIVE_DATES } from '../../../contract/report-states.ts'
import { spanWords } from './spans.ts'

test('every relative date has a different text', () => {
  expect(new Set(RELATIVE_DATES.map(spanWords)).size).toBe(RELATIVE_DATES.length)
})

test.each([
  ['last_30_days', 'the last 30 days'],
  ['month_to_date', 'this month so far'],
  ['last_quarter', 'last quarter'],
  ['today', 'today'],
])('%s is shown as %s', (relative, words) => {
  expect(spanWords(relative)).toBe(words)
})
