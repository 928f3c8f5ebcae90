import { expect, test } from 'vitest'
import { failure, failureList } from './failures.ts'

test('a failure is listed with its place and the beginning of each message, without colours', () => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n')
  expect(
    failure('a.test.ts > adds', [
      { name: 'AssertionError', message: `\x1b[31mexpected ${'1'.repeat(1000)}\x1b[39m` },
      { message: lines },
    ]).split('\n'),
  ).toEqual([
    'a.test.ts > adds',
    `  AssertionError: expected ${'1'.repeat(173)}`,
    ...Array.from({ length: 8 }, (_, index) => `  line ${index}`),
  ])
})

test('a list of failures has a title, and is empty if nothing failed', () => {
  expect(failureList(['a.test.ts > adds', 'b.test.ts'])).toBe('\nFailed:\na.test.ts > adds\nb.test.ts\n')
  expect(failureList([])).toBe('')
})
