import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTsv } from './parse-tsv.ts'
import { toTsv } from './tsv.ts'

test.each([
  [
    [
      ['a', 'b'],
      ['c', ''],
    ],
    'a\tb\nc\t',
  ],
  [[['one\ntwo', 'say "hi"', '"quoted"']], '"one\ntwo"\tsay "hi"\t"""quoted"""'],
  [[['a'], ['']], 'a\n""'],
])('toTsv of %j', (rows, text) => {
  expect(toTsv(rows)).toBe(text)
})

describe('parseTsv', () => {
  test.each([
    [
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"one\r\ntwo"\t"say ""hi"""', [['one\r\ntwo', 'say "hi"']]],
    [
      'a\t\t\n\tb',
      [
        ['a', '', ''],
        ['', 'b'],
      ],
    ],
    ['say "hi"\t5" pipe', [['say "hi"', '5" pipe']]],
    ['"open\tb', [['"open', 'b']]],
    ['"a" b\tc', [['"a" b', 'c']]],
    ['a\n\nb', [['a'], [''], ['b']]],
    ['a\rb', [['a'], ['b']]],
    ['', [['']]],
  ])('of %j', (text, rows) => {
    expect(parseTsv(text)).toEqual(rows)
  })

  const cell = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\t', '\n', '\r', 'a', '') }))
  const block = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    .chain(([width, height]) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: height,
        maxLength: height,
      }),
    )

  test('reads what toTsv writes', () => {
    fc.assert(
      fc.property(block, (rows) => {
        expect(parseTsv(toTsv(rows))).toEqual(rows)
      }),
    )
  })

  test('ends for any text, and keeps all characters except quotes and separators', () => {
    const letters = (text: string) => text.replaceAll(/["\t\n\r]/g, '')
    fc.assert(
      fc.property(cell, (text) => {
        expect(letters(parseTsv(text).flat().join(''))).toBe(letters(text))
      }),
    )
  })
})
