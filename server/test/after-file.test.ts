import { expect, test } from 'vitest'
import { createEndings, requireCollection } from './after-file.ts'
import { modules } from './imports.ts'

test('everything is ended once, the last first', async () => {
  const ended: string[] = []
  const endings = createEndings()
  endings.add(() => ended.push('folder'))
  endings.add(async () => ended.push('server'))
  await endings.run()
  await endings.run()
  expect(ended).toEqual(['server', 'folder'])
})

test('one that fails keeps no other from being ended, and every failure is told', async () => {
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

/** The line that opens the block which the line is in; undefined: it is in none. */
function openerOf(lines: readonly string[], at: number): string | undefined {
  const indent = indentOf(lines[at] ?? '')
  const opener = lines.findLastIndex((line, index) => index < at && line !== '' && indentOf(line) < indent)
  const line = lines[opener]
  // The function of a call whose arguments have a line each.
  return line !== undefined && /^\s+(async )?\(.*\) => \{$/.test(line) ? openerOf(lines, opener) : line
}

/** Lines with an `afterAll` that is not added while Vitest collects the tests of the file. */
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

test('a test file adds afterAll where Vitest runs it: in no function', () => {
  const found = modules.filter(
    ({ file, text }) => isTestFile(file) && file !== HERE && lateHooks(text).length > 0,
  )
  expect(found.map(({ file }) => file)).toEqual([])
})

const fixturesWith = (hooks: string) => {
  const imported = new RegExp(`^import \\{[^}]*\\b(?:${hooks})\\b[^}]*\\} from 'vitest'`, 'm')
  return modules.filter(({ file, text }) => !isTestFile(file) && file !== SETUP && imported.test(text))
}

test('a fixture, which any function may call, uses afterFile', () =>
  expect(fixturesWith('afterAll').map(({ file }) => file)).toEqual([]))

test('a fixture with other hooks refuses to be called while tests run', () => {
  expect(requireCollection).toThrow('at the top of the test file')
  const found = fixturesWith('beforeAll|beforeEach|afterEach').filter(
    ({ text }) => !text.includes('  requireCollection()\n'),
  )
  expect(found.map(({ file }) => file)).toEqual([])
})
