import { expect, test } from 'vitest'
import { byRows, linesText } from './problem-groups.ts'

test.each([
  [[2], 1, '2'],
  [[2, 3, 1500], 3, '2, 3, 1,500'],
  [[2, 3, 4], 1205, '2, 3, 4 and 1,202 more'],
])('the lines %j of %d rows are %s', (lines, rows, text) => {
  expect(linesText(lines, rows)).toBe(text)
})

test('sorts problems by the number of rows, equal numbers in the order of the file', () => {
  const group = (value: string, rows: number) => ({
    column: 'Stage',
    index: 1,
    value,
    code: 'unknown_option',
    message: 'must be one of the options',
    isSkipped: false,
    rows,
    lines: [2],
  })
  const sorted = byRows([group('a', 1), group('b', 9), group('c', 1)])
  expect(sorted.map(({ value }) => value)).toEqual(['b', 'a', 'c'])
})
