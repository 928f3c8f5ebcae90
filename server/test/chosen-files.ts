// Files of `npm test` that `npm run verify` runs again: those that try random values, and those that a date can affect.
// They are found by what they say, so that a new one is among them.
import { dirname } from 'node:path'
import { type Module, modules } from './imports.ts'

/** The whole service, with all that it imports. */
const SERVICE = 'server/test/build-app.ts'

/** What depends on the time zone, on each day of the year alike: only these meet a change of summer time. */
const ZONE = [
  'time_?[ ]?zone|summer time|\\bcron\\b|\\b(?:daily|weekly|monthly)\\b|\\bTemporal\\b|DateTimeFormat',
  'toLocale(?:Date|Time)|\\.[gs]et(?:FullYear|Month|Date|Day|Hours|Minutes)\\(',
].join('|')

/** What depends on the day besides. A time after or before another, in milliseconds, is the same at each moment. */
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

/** Without comments. A test of functions speaks by them too; one that asks the whole service says itself what it is about. */
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

/** Those that a change of summer time can affect. */
export const zonedFiles = (): string[] => saying(ZONE)

/** Those that the day can affect, those of time zones included. */
export const datedFiles = (): string[] => saying(`${ZONE}|${DAY}`)

const isRandom = ({ imports, text }: Module) =>
  imports.includes('fast-check') || text.includes("inject('seed')")

/** Those that draw random values, themselves or by their fixtures. */
export const randomFiles = (): string[] =>
  tests
    .filter((test) => reachedFrom(test, (file) => file.endsWith('.fixture.ts')).some(isRandom))
    .map(({ file }) => file)
