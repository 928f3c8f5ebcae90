import { expect, test } from 'vitest'
import { connectionsMax, openFilesMax, openFilesProblem } from './open-files.ts'

test('a limit that is too low is named together with the remedy', () => {
  expect(openFilesProblem(20)).toMatch(/limit of open files is 20, and at least 256 are needed: raise it/)
  expect(openFilesProblem(255)).toBeDefined()
})

test('accepts higher limits', () => {
  expect([256, 1024, Number.POSITIVE_INFINITY].map(openFilesProblem)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(openFilesProblem(openFilesMax())).toBeUndefined()
})

test.each([
  [Number.POSITIVE_INFINITY, 10_000],
  [1_048_576, 10_000],
  [4096, 3072],
  [1024, 768],
  [400, 200],
  [100, 1],
])('a process with at most %d open files has at most %d connections', (files, connections) =>
  expect(connectionsMax(files)).toBe(connections),
)
