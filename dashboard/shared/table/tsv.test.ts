import { expect, test } from 'vitest'
import { formatNearDay } from './near-day.ts'
import { toTsv } from './tsv.ts'

test.each([
  [
    [
      ['a', 'b'],
      ['c', ''],
    ],
    'a\tb\nc\t',
  ],
  [[['one\ntwo', 'say "hi"']], '"one\ntwo"\t"say ""hi"""'],
])('toTsv of %j', (rows, text) => {
  expect(toTsv(rows)).toBe(text)
})

test.each([
  ['2026-11-20', 'today'],
  ['2026-11-21', 'tomorrow'],
  ['2026-11-14', '6 days ago'],
])('formatNearDay of %s', (day, words) => {
  expect(formatNearDay(day, new Date(2026, 10, 20, 23, 30))).toBe(words)
})

test('a day further away is told in full', () => {
  expect(formatNearDay('2027-01-05', new Date(2026, 10, 20))).toMatch(/2027/)
})
