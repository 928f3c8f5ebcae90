import { expect, test } from 'vitest'
import type { FileResult } from './report.ts'
import { countsOf, type Run, SECOND_TRIES_MAX, withSecondTry } from './second-try.ts'

const file = (path: string, passed: number, failed = 0, ok = failed === 0): FileResult => ({
  path,
  project: 'together',
  passed,
  failed,
  ok,
  durationMs: 1,
})

/** Second results by path; they are run in this order. */
function secondTries(results: Readonly<Record<string, Run>>) {
  const asked: string[] = []
  const runFile = async ({ path }: FileResult): Promise<Run> => {
    asked.push(path)
    return results[path] ?? { files: [], others: 1 }
  }
  return { asked, runFile }
}

test('only files that failed run again', async () => {
  const { asked, runFile } = secondTries({ b: { files: [file('b', 3)], others: 0 } })
  const { run, passedLater } = await withSecondTry(
    { files: [file('a', 5), file('b', 2, 1)], others: 0 },
    runFile,
  )
  expect(asked).toEqual(['b'])
  expect(passedLater).toEqual(['b'])
  expect(countsOf(run)).toEqual({ passed: 8, failed: 0 })
})

test.each<[string, Run]>([
  ['fails again', { files: [file('b', 2, 1)], others: 0 }],
  ['cannot be loaded', { files: [file('b', 0, 0, false)], others: 0 }],
  ['has an error outside its tests', { files: [file('b', 3)], others: 1 }],
  ['is not found', { files: [], others: 0 }],
])('a file that %s the second time counts as it failed the first time', async (_, second) => {
  const { run, passedLater } = await withSecondTry(
    { files: [file('a', 5), file('b', 2, 1)], others: 0 },
    secondTries({ b: second }).runFile,
  )
  expect(passedLater).toEqual([])
  expect(countsOf(run)).toEqual({ passed: 7, failed: 1 })
})

test('failures that belong to no file stay', async () => {
  const { run } = await withSecondTry({ files: [file('a', 5)], others: 2 }, secondTries({}).runFile)
  expect(countsOf(run)).toEqual({ passed: 5, failed: 2 })
})

test('a file that could not be loaded counts as one failure', () => {
  expect(countsOf({ files: [file('a', 0, 0, false)], others: 0 })).toEqual({ passed: 0, failed: 1 })
})

test('where many files fail, none runs again', async () => {
  const files = Array.from({ length: SECOND_TRIES_MAX + 1 }, (_, index) => file(String(index), 0, 1))
  const { asked, runFile } = secondTries({})
  const { run } = await withSecondTry({ files, others: 0 }, runFile)
  expect(asked).toEqual([])
  expect(countsOf(run).failed).toBe(SECOND_TRIES_MAX + 1)
})
