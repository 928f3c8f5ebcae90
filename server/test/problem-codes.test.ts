// The API document lists every problem code in the sources of the service, except those for cells, which are managed
// only from the command line.
import { expect, test } from 'vitest'
import { ALL_PROBLEM_CODES } from '../../contract/problem-codes.ts'
import { modules } from './imports.ts'

const WRITTEN = [
  // invalidField('name', 'too_long', …), note(path, 'too_deep', …)
  /\b(?:invalidField|note|add|refused)\(\s*(?:[^,()]|\((?:[^()]|\([^()]*\))*\))+,\s*'(\w+)',/g,
  // flaw('unknown_path', …)
  /(?<![#\w])(?:flaw|refuse)\(\s*'(\w+)',/g,
  // { path, code: 'pattern', message: … }
  /\bcode: '(\w+)',\s*message\b/g,
]

const written = modules
  .filter(({ file }) => file.startsWith('server/') && !/test|verify|fixture|^server\/cells/.test(file))
  .flatMap(({ text }) => WRITTEN.flatMap((pattern) => [...text.matchAll(pattern)]))
  .map(([, code = '']) => code)

test('are found', () => expect(new Set(written).size).toBeGreaterThan(80))

test.each([...new Set(written)].toSorted())('%s is listed', (code) =>
  expect(ALL_PROBLEM_CODES).toContain(code),
)

test('are listed once', () => expect(new Set(ALL_PROBLEM_CODES).size).toBe(ALL_PROBLEM_CODES.length))
