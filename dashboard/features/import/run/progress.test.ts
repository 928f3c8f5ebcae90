import { expect, test } from 'vitest'
import { announcement, doneOf, remaining, shareOf } from './progress.ts'

const going = (done: number, rows: number, rowsPerSecond: number | null = null) => ({
  rows,
  progress: { rows: done, created: 0, updated: 0, failed: 0, skipped: 0, rowsPerSecond },
})

test.each([
  [going(0, 0), 1],
  [going(5, 20), 0.25],
  [going(20, 20), 1],
])('the finished share of %j is %d', (state, share) => {
  expect(shareOf(state)).toBe(share)
})

test.each([
  [going(0, 100), undefined],
  [going(100, 100, 10), undefined],
  [going(50, 100, 10), 'a few seconds left'],
  [going(0, 1000, 20), 'about 50 seconds left'],
  [going(0, 120_000, 1000), 'about 2 minutes left'],
])('the remaining time of %j is: %s', (state, text) => {
  expect(remaining(state)).toBe(text)
})

test('announces every quarter once', () => {
  const heard = Array.from({ length: 101 }, (_, done) => announcement('Importing', going(done, 100)))
  expect([...new Set(heard)]).toEqual([
    'Importing 100 rows',
    'Importing: 25 percent done',
    'Importing: 50 percent done',
    'Importing: 75 percent done',
    'Importing: 100 percent done',
  ])
})

test('shows the number of processed rows out of all rows', () => {
  expect(doneOf(going(1, 1))).toBe('1 of 1 row')
})
