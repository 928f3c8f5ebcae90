import { expect, test } from 'vitest'
import { createEndings, requireCollection } from './after-file.ts'
import { modules } from './imports.ts'

test('cleanup functions run once, in reverse order', async () => {
  const ended: string[] = []
  const endings = createEndings()
  endings.add(() => ended.push('folder'))
  endings.add(async () => ended.push('server'))
  await endings.run()
  await endings.run()
  expect(ended).toEqual(['server', 'folder'])
})

test('a failing cleanup function does not stop the others, and every failure is reported', async () => {
  const ended: string[] = []
  const failing = (message: string) => () => {
    throw new Error(message)
  }
  const endings = createEndings()
  endings.add(() => ended.push('folder'))
  endings.add(failing('the server hangs'))
  await expect(endings.run()).rejects.toThrow(/^the server hangs$/)
  endings.add(failing('one'))
  endings.add(failing('other'))
  await expect(endings.run()).rejects.toThrow(/other; .*one/)
  expect(ended).toEqual(['folder'])
})

const SETUP = 'server/test/setup.ts'
const HERE = 'server/test/after-file.test.ts'
const isTestFile = (file: string) => /\.(test|verify)\.tsx?$/.test(file)
const indentOf = (line: string) => line.search(/\S/)

/** The first line of the block around a line; undefined: the line is in no block. */
function openerOf(lines: readonly string[], at: number): string | undefined {
  const indent = indentOf(lines[at] ?? '')
  const opener = lines.findLastIndex((line, index) => index < at && line !== '' && indentOf(line) < indent)
  const line = lines[opener]
  // A function that is an argument of a call with one argument per line: its call is the block.
  return line !== undefined && /^\s+(async )?\(.*\) => \{$/.test(line) ? openerOf(lines, opener) : line
}

/** Lines with an `afterAll` in a function, which is not added while Vitest collects the tests of the file. */
function lateHooks(text: string): string[] {
  const lines = text.split('\n')
  return lines.filter((line, at) => {
    if (!/^\s*afterAll\(/.test(line)) return false
    const opener = openerOf(lines, at)
    return opener !== undefined && !/^\s*describe\b/.test(opener)
  })
}

test.each([
  ['afterAll(close)', 0],
  ['describe("one", () => {\n  afterAll(close)\n})', 0],
  ['describe.each([1])(\n  "one",\n  async (n) => {\n    afterAll(close)\n  },\n)', 0],
  ['beforeAll(async () => {\n  afterAll(close)\n})', 1],
  ['describe("one", () => {\n  beforeAll(\n    async () => {\n      afterAll(close)\n    },\n  )\n})', 1],
  ['test("one", () => {\n  open()\n\n  afterAll(close)\n})', 1],
  ['const open = () => {\n  afterAll(close)\n}', 1],
])('%j has %i late hooks', (text, count) => expect(lateHooks(text)).toHaveLength(count))

test('no test file calls afterAll in a function, where Vitest would not run it', () => {
  const found = modules.filter(
    ({ file, text }) => isTestFile(file) && file !== HERE && lateHooks(text).length > 0,
  )
  expect(found.map(({ file }) => file)).toEqual([])
})

const fixturesWith = (hooks: string) => {
  const imported = new RegExp(`^import \\{[^}]*\\b(?:${hooks})\\b[^}]*\\} from 'vitest'`, 'm')
  return modules.filter(({ file, text }) => !isTestFile(file) && file !== SETUP && imported.test(text))
}

test('fixtures use afterFile, not afterAll', () =>
  expect(fixturesWith('afterAll').map(({ file }) => file)).toEqual([]))

test('fixtures with other hooks refuse calls while tests run', () => {
  expect(requireCollection).toThrow('at the top of the test file')
  const found = fixturesWith('beforeAll|beforeEach|afterEach').filter(
    ({ text }) => !text.includes('  requireCollection()\n'),
  )
  expect(found.map(({ file }) => file)).toEqual([])
})
