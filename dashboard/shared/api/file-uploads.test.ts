import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathProblem } from '../../../server/files/path.ts'
import { anyText } from '../../../server/test/any-text.ts'
import { pathName } from './file-uploads.ts'

test.each([
  ['offer.pdf', 'offer.pdf'],
  ['Größe 2026 (3).docx', 'Größe 2026 (3).docx'],
  ['a/b\\c%d.txt', 'a_b_c_d.txt'],
  ['con.txt', '_con.txt'],
  ['nul ', '_nul'],
  ['..', 'file'],
  ['', 'file'],
  ['name. . ', 'name'],
  ['gpj\u202e.exe', 'gpj_.exe'],
  [`${'é'.repeat(300)}.jpeg`, `${'é'.repeat(100)}.jpeg`],
])('“%s” becomes “%s”', (name, expected) => {
  expect(pathName(name)).toBe(expected)
})

test('the service accepts the path name of every file', () => {
  const pieces = fc.constantFrom(
    'con',
    'nul',
    '.',
    ' ',
    '/',
    '\\\\',
    '%2e',
    '．',
    '／',
    '％',
    '\u0000',
    '\u202e',
    'a',
  )
  const odd = fc.array(pieces, { maxLength: 8 }).map((all) => all.join(''))
  const names = fc.oneof(odd, anyText(400), fc.string({ maxLength: 400 }))
  fc.assert(
    fc.property(names, (name) => pathProblem(`0198c0de/${pathName(name)}`) === undefined),
    { numRuns: 1000 },
  )
})
