import { expect, test } from 'vitest'
import type { FileResult } from './report.ts'
import { outcomeOf, type Run, SECOND_TRIES_MAX, withSecondTry } from './second-try.ts'

const file = (path: string, passed: number, failures: string[] = []): FileResult => ({
  path,
  project: 'together',
  passed,
  failures,
  durationMs: 1,
})

/** @param results the second results by path @returns `asked`: the paths in the order of their second runs */
function secondTries(results: Readonly<Record<string, Run>>) {
  const asked: string[] = []
  const runFile = async ({ path }: FileResult): Promise<Run> => {
    asked.push(path)
    return results[path] ?? { files: [], others: ['no report'] }
  }
  return { asked, runFile }
}

test('only failed files run again', async () => {
  const { asked, runFile } = secondTries({ b: { files: [file('b', 3)], others: [] } })
  const { run, passedLater } = await withSecondTry(
    { files: [file('a', 5), file('b', 2, ['b > fails'])], others: [] },
    runFile,
  )
  expect(asked).toEqual(['b'])
  expect(passedLater).toEqual(['b'])
  expect(outcomeOf(run)).toEqual({ passed: 8, failures: [] })
})

test.each<[string, Run]>([
  ['fails again', { files: [file('b', 2, ['b > fails'])], others: [] }],
  ['cannot be loaded', { files: [file('b', 0, ['b'])], others: [] }],
  ['has an error outside its tests', { files: [file('b', 3)], others: ['thrown'] }],
  ['is not found', { files: [], others: [] }],
])('a file that %s the second time keeps its first result', async (_, second) => {
  const { run, passedLater } = await withSecondTry(
    { files: [file('a', 5), file('b', 2, ['b > fails'])], others: [] },
    secondTries({ b: second }).runFile,
  )
  expect(passedLater).toEqual([])
  expect(outcomeOf(run)).toEqual({ passed: 7, failures: ['b > fails'] })
})

test('failures that belong to no file are kept', async () => {
  const { run } = await withSecondTry(
    { files: [file('a', 5)], others: ['one', 'two'] },
    secondTries({}).runFile,
  )
  expect(outcomeOf(run)).toEqual({ passed: 5, failures: ['one', 'two'] })
})

test('a file that could not be loaded counts as one failure', () => {
  expect(outcomeOf({ files: [file('a', 0, ['a'])], others: [] })).toEqual({ passed: 0, failures: ['a'] })
})

test('no file runs again if many files failed', async () => {
  const files = Array.from({ length: SECOND_TRIES_MAX + 1 }, (_, index) => file(String(index), 0, ['fails']))
  const { asked, runFile } = secondTries({})
  const { run } = await withSecondTry({ files, others: [] }, runFile)
  expect(asked).toEqual([])
  expect(outcomeOf(run).failures).toHaveLength(SECOND_TRIES_MAX + 1)
})
