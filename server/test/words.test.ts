// Old words stay out of code and documents: plain, present-day technical English says who acts and what happens.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const HERE = 'server/test/words.test.ts'

const OLD =
  /\b(?:whoever|nobody|somebody|anybody|whatever|anew|lately|mend(?:s|ed|ing)?|tells of|rehears(?:e|al)|turnstile|seeker|rung|tallies)\b/gi

/** Not for names: EXPORTS_AT_ONCE is a setting. 410 Gone is a status, and `gone` a reason that is stored. */
const VAGUE =
  /\b(?:beside|alone|at once|stands|of (?:its|their|your|our|one['’]s) own|(?<!410 |['"/])gone(?!['":-]))\b/gi

/** Files that need one of the words, with the reason; these are not counted. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'migrations/0072-case-of-unique-values.sql': 'is not edited: its checksum is stored',
  'server/db/embedded/launcher.ts': 'the Unix account nobody',
  'server/db/embedded/root.processes.verify.ts': 'the Unix account nobody',
  'server/test/page-words/rules.ts': 'its own list of words of the dashboard',
  'server/test/page-words/page-words.test.ts': 'sentences with words that are refused',
  'server/test/boundaries.test.ts': 'its own list of words of the query engine',
}

/** The old words of a text as "line: word"; names in camelCase are read word by word. */
function oldWords(text: string): string[] {
  const wordsOf = (line: string) => [
    ...line.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').matchAll(OLD),
    ...line.matchAll(VAGUE),
  ]
  return text.split('\n').flatMap((line, at) => wordsOf(line).map(([word]) => `${at + 1}: ${word}`))
}

const folderOf = (file: string) => file.split('/')[0] ?? ''

const FILES = [
  '{contract,server,cli,bench,dashboard,docs,migrations}/**/*.{ts,tsx,css,md,sql}',
  'deploy/**/*.{yaml,conf,py}',
  'Dockerfile',
]

const files = globSync(FILES, {
  cwd: root,
  exclude: ['dashboard/dist*/**', '**/node_modules/**'],
}).filter((file) => file !== HERE)

const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('old words', () => {
  test.each([
    ['// Whoever asks', ['1: Whoever']],
    ['a\nconst nobodyElse = startAnew()', ['2: nobody', '2: Anew']],
    ["test('tells of each, whatever it is')", ['1: tells of', '1: whatever']],
    ['to amend a commandment', []],
    ['A file of its own beside it', ['1: of its own', '1: beside']],
    ["const gone = 'is gone at once'", ['1: gone', '1: gone', '1: at once']],
    ["reason: 'gone' // 410 Gone\nconst exportsAtOnce = STEPS_AT_ONCE", []],
  ])('are found: %j', (text, found) => expect(oldWords(text)).toEqual(found))

  const folders = [...new Set(files.map(folderOf))]

  test('are looked for in every folder', () =>
    expect(folders).toEqual(
      expect.arrayContaining(['server', 'contract', 'cli', 'bench', 'dashboard', 'docs', 'migrations']),
    ))

  test.each(folders)('of %s do not come back', (folder) => {
    const found = files
      .filter((file) => folderOf(file) === folder && !Object.hasOwn(EXCEPTIONS, file))
      .flatMap((file) => oldWords(read(file)).map((word) => `${file}:${word}`))
    expect(found).toEqual([])
  })

  test('have no exception without need', () =>
    expect(Object.keys(EXCEPTIONS).filter((file) => oldWords(read(file)).length === 0)).toEqual([]))
})
