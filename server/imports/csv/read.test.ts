import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv } from '../../../contract/csv-text.ts'
import { isBlank } from '../../../contract/single-line.ts'
import { escapeFormula, unescapeFormula } from '../../../contract/spreadsheet-text.ts'
import { cases } from '../../test/dose.ts'
import { readCsv } from './read.ts'

/** The line of each row with its cells or its error. The text is read in pieces of `size` characters. */
async function read(text: string, size = 1 << 16): Promise<[number, string[] | string][]> {
  async function* pieces() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
  }
  const rows: [number, string[] | string][] = []
  for await (const { line, cells, error } of readCsv(pieces())) rows.push([line, error ?? cells])
  return rows
}

const header: [number, string[]] = [1, ['a', 'b']]
const CLOSING = expect.stringContaining('a quote ends inside the cell')
const OPENING = expect.stringContaining('a quote begins inside the cell')

test.each<[string, string, [number, unknown][]]>([
  ['plain rows', 'a,b\n1,2\n', [header, [2, ['1', '2']]]],
  ['no newline at the end', 'a,b\n1,2', [header, [2, ['1', '2']]]],
  ['CRLF', 'a,b\r\n1,2\r\n', [header, [2, ['1', '2']]]],
  ['CR without LF', 'a,b\r1,2\r3,4\r', [header, [2, ['1', '2']], [3, ['3', '4']]]],
  ['semicolons', 'a;b\n1;2\n', [header, [2, ['1', '2']]]],
  ['tabs', 'a\tb\n1\t2\n', [header, [2, ['1', '2']]]],
  ['vertical bars', 'a|b\n1|2\n', [header, [2, ['1', '2']]]],
  [
    'the line of Excel that names a delimiter',
    'sep=;\r\na;b\r\n1;2\r\n',
    [
      [2, ['a', 'b']],
      [3, ['1', '2']],
    ],
  ],
  [
    'such a line, saved again',
    '"SEP=|",,\na|b\n1,0|2\n',
    [
      [2, ['a', 'b']],
      [3, ['1,0', '2']],
    ],
  ],
  [
    'a column, by its header',
    'a\n"1, 2"\n3, 4\n',
    [
      [1, ['a']],
      [2, ['1, 2']],
      [3, ['3, 4']],
    ],
  ],
  ['CR in cells of lines that end with LF', 'a,b\n1\rx,2\n', [header, [2, ['1\rx', '2']]]],
  ['an empty last cell', 'a,b\n1,', [header, [2, ['1', '']]]],
  [
    'empty lines',
    '\n\na,b\n\n1,2\n\n3,4\n\n',
    [
      [3, ['a', 'b']],
      [5, ['1', '2']],
      [7, ['3', '4']],
    ],
  ],
  [
    'rows without any value',
    'a,b\n,\n1,2\n" ",\n\t,\u00a0\n3,4\n""\n,,\n',
    [header, [3, ['1', '2']], [6, ['3', '4']]],
  ],
  [
    'an empty header',
    ',\n1,2\n',
    [
      [1, ['', '']],
      [2, ['1', '2']],
    ],
  ],
  ['quotes', 'a,b\n"1,""x""",2\n', [header, [2, ['1,"x"', '2']]]],
  ['line breaks in cells', 'a,b\n"1\n2",x\n3,4\n', [header, [2, ['1\n2', 'x']], [4, ['3', '4']]]],
  ['CRLF in cells', 'a,b\r\n"1\r\n2",x\r\n3,4\r\n', [header, [2, ['1\r\n2', 'x']], [4, ['3', '4']]]],
  ['letters beyond ASCII', 'a,b\né,漢字\n', [header, [2, ['é', '漢字']]]],
  [
    'too few and too many cells',
    'a,b\n1\n1,2,3\n4,5\n',
    [
      header,
      [2, 'The row has 1 cell, the header has 2.'],
      [3, 'The row has 3 cells, the header has 2.'],
      [4, ['4', '5']],
    ],
  ],
  ['a quote inside a cell', 'a,b\n1,x"y\n3,4\n', [header, [2, OPENING], [3, ['3', '4']]]],
  ['quotes within quotes', 'a,b\n"A "B" C",2\n3,4\n', [header, [2, CLOSING], [3, ['3', '4']]]],
  [
    'text after a closing quote',
    'a,b\n1,2\n"x"y,3\n4,5\n"ok",6\n7,8\n',
    [header, [2, ['1', '2']], [3, CLOSING], [4, ['4', '5']], [5, ['ok', '6']], [6, ['7', '8']]],
  ],
  [
    'a quote that takes lines with it',
    'a,b\n1,2\n"x,3\n4,5\n6,"7"\n8,9\n',
    [
      header,
      [2, ['1', '2']],
      [3, CLOSING],
      [4, 'The row cannot be read: it follows the unclosed quote of line 3.'],
      [5, expect.stringContaining('cannot be read')],
      [6, ['8', '9']],
    ],
  ],
  [
    'a quote that is never closed',
    'a,b\n1,2\n"x,3\n4,5',
    [
      header,
      [2, ['1', '2']],
      [3, 'The row cannot be read: a quote is opened and never closed.'],
      [4, 'The row cannot be read: it follows the unclosed quote of line 3.'],
    ],
  ],
  ['nothing', '', []],
])('reads a file with %s', async (_, text, rows) => {
  expect(await read(text)).toEqual(rows)
  expect(await read(text, 3)).toEqual(rows)
})

test.each<[string, string, RegExp]>([
  [
    'a quote that is not closed for long',
    `a,b\n"${'x'.repeat(5_000_000)}`,
    /line 2 has more than.*not closed/,
  ],
  ['a line that is long', `a,b\n1,${'x'.repeat(5_000_000)}\n`, /line 2 has more than/],
  ['a line of many delimiters', `a,b\n1,2\n${','.repeat(5_000_000)}\n`, /line 3 has more than/],
])('%s is refused', async (_, text, message) => {
  await expect(read(text)).rejects.toThrow(message)
})

test('drops the cells of a row after the 501st', async () => {
  const row = (cells: number) => Array.from({ length: cells }, (_, index) => String(index)).join(',')
  async function* pieces() {
    yield `a,b\n${row(500)}\n${row(501)}\n${row(100_000)}\n1,2\n`
  }
  const rows = []
  for await (const { line, cells, error } of readCsv(pieces())) rows.push([line, cells.length, error])
  expect(rows).toEqual([
    [1, 2, undefined],
    [2, 500, 'The row has 500 cells, the header has 2.'],
    [3, 501, 'The row has more than 500 cells, the header has 2.'],
    [4, 501, 'The row has more than 500 cells, the header has 2.'],
    [5, 2, undefined],
  ])
})

test('returns all cells of a row that cannot be read', async () => {
  const rows = []
  async function* pieces() {
    yield 'a,b\n"A "B" C",2\n"x,3\n4,5\n6,"7"\n8,9,10\n'
  }
  for await (const { error, cells } of readCsv(pieces())) if (error !== undefined) rows.push(cells)
  expect(rows).toEqual([
    ['"A "B" C"', '2'],
    ['"x', '3'],
    ['4', '5'],
    ['6', '"7"'],
    ['8', '9', '10'],
  ])
})

const hasValue = (row: readonly string[]) => !row.every((cell) => isBlank(escapeFormula(cell)))

test('reads any written table without its empty rows, as another parser does', async () => {
  const cell = fc.string({ unit: fc.constantFrom(...'a1 ,;\t"\r\n=é😀') })
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }))
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
      // The header decides the delimiter.
      const width = rows[0]?.length ?? 0
      const headers = Array.from({ length: width }, (_, index) => `h${index}`)
      const csv = toCsv([headers, ...rows])
      const found = (await read(csv, size)).map(([, cells]) => cells)
      const parsed: string[][] = width > 1 ? parse(csv, { record_delimiter: '\n' }) : []
      if (width > 1) expect(found).toEqual(parsed.filter(hasValue))
      expect(found.map((cells) => [cells].flat().map(unescapeFormula))).toEqual(
        [headers, ...rows].filter(hasValue),
      )
    }),
    { numRuns: cases(300) },
  )
})
