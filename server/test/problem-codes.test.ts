// The API document lists every code of a problem: those that are written in the code of the service. Cells
// are managed from the command line alone.
import { expect, test } from 'vitest'
import { ALL_PROBLEM_CODES } from '../../contract/problem-codes.ts'
import { modules } from './imports.ts'

/** `invalidField('name', 'too_long', …)`, `note(path, 'too_deep', …)`, `{ code: 'pattern', message … }` */
const WRITTEN = [
  /\binvalidField\(\s*[^,()]+,\s*'(\w+)'/g,
  /\bnote\(\s*[^,()]+,\s*'(\w+)'/g,
  /\bcode: '(\w+)',\s*message\b/g,
]

const written = modules
  .filter(({ file }) => file.startsWith('server/') && !/test|verify|fixture|^server\/cells/.test(file))
  .flatMap(({ text }) => WRITTEN.flatMap((pattern) => [...text.matchAll(pattern)]))
  .map(([, code = '']) => code)

test('are found', () => expect(new Set(written).size).toBeGreaterThan(60))

test.each([...new Set(written)].toSorted())('%s', (code) => expect(ALL_PROBLEM_CODES).toContain(code))

test('are listed once', () => expect(new Set(ALL_PROBLEM_CODES).size).toBe(ALL_PROBLEM_CODES.length))
