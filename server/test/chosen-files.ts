// Files of `npm test` that `npm run verify` runs again: tests with random values, and tests that a date can affect.
// They are found by words in their text, so that new files are included.
import { dirname } from 'node:path'
import { type Module, modules } from './imports.ts'

/** The whole service, with all that it imports. */
const SERVICE = 'server/test/build-app.ts'

/** Words of tests that depend on the time zone. Only these tests can be affected by a change of summer time. */
const ZONE = [
  'time_?[ ]?zone|summer time|\\bcron\\b|\\b(?:daily|weekly|monthly)\\b|\\bTemporal\\b|DateTimeFormat',
  'toLocale(?:Date|Time)|\\.[gs]et(?:FullYear|Month|Date|Day|Hours|Minutes)\\(',
].join('|')

/** Words of other tests that depend on the day. Differences in milliseconds do not depend on it. */
const DAY = [
  '\\b(?:today|tomorrow|yesterday|weekdays?|midnight|months?|years?|leap|calendar)\\b|slice\\(0, 10\\)',
  'date_trunc|::date\\b|UTC(?:Month|FullYear|Date|Day)\\b',
].join('|')

const byPath = new Map(modules.map((one) => [one.file, one]))
const tests = modules.filter(({ file }) => /^(?!bench\/|dashboard\/e2e\/).*\.test\.ts$/.test(file))

function reachedFrom(test: Module, follow: (file: string) => boolean): Module[] {
  const reached = new Set([test.file])
  for (const file of reached)
    for (const next of byPath.get(file)?.imports ?? []) if (follow(next)) reached.add(next)
  return [...reached].flatMap((file) => byPath.get(file) ?? [])
}

const importsService = (test: Module) => reachedFrom(test, () => true).some(({ file }) => file === SERVICE)

const INCIDENTAL = /^\s*(?:import .*|\/\/.*|\/?\*.*)$/gm

/** The text without comments, for unit tests with the text of the tested files. */
function wordsOf(test: Module): string {
  const tested = importsService(test)
    ? []
    : test.imports
        .filter((file) => dirname(file) !== 'server/test')
        .map((file) => byPath.get(file)?.text ?? '')
  return [test.text, ...tested].join('\n').replaceAll(INCIDENTAL, '')
}

const saying = (pattern: string) => {
  const found = new RegExp(pattern, 'i')
  return tests.filter((test) => found.test(wordsOf(test))).map(({ file }) => file)
}

/** Tests that a change of summer time can affect. */
export const zonedFiles = (): string[] => saying(ZONE)

/** Tests that the day can affect, including those of time zones. */
export const datedFiles = (): string[] => saying(`${ZONE}|${DAY}`)

const isRandom = ({ imports, text }: Module) =>
  imports.includes('fast-check') || text.includes("inject('seed')")

/** Tests with random values, directly or in their fixtures. */
export const randomFiles = (): string[] =>
  tests
    .filter((test) => reachedFrom(test, (file) => file.endsWith('.fixture.ts')).some(isRandom))
    .map(({ file }) => file)
