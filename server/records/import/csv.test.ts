import { expect, test } from 'vitest'
import { readCsv } from './csv.ts'

/** Lines with what became of them; chunks of `size` bytes. */
async function read(text: string | Buffer, size = 1 << 16): Promise<[number, string[] | string][]> {
  async function* chunks() {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const rows: [number, string[] | string][] = []
  for await (const { line, cells, error } of readCsv(chunks())) rows.push([line, error ?? cells])
  return rows
}

const header: [number, string[]] = [1, ['a', 'b']]
const CLOSING = expect.stringContaining('a quote ends inside the cell')
const OPENING = expect.stringContaining('a quote begins inside the cell')

test.each<[string, string, [number, unknown][]]>([
  ['plain rows', 'a,b\n1,2\n', [header, [2, ['1', '2']]]],
  ['no newline at the end', 'a,b\n1,2', [header, [2, ['1', '2']]]],
  ['CRLF', 'a,b\r\n1,2\r\n', [header, [2, ['1', '2']]]],
  ['CR alone', 'a,b\r1,2\r3,4\r', [header, [2, ['1', '2']], [3, ['3', '4']]]],
  ['a byte order mark', '\ufeffa,b\n1,2\n', [header, [2, ['1', '2']]]],
  [
    'empty lines',
    '\n\na,b\n\n1,2\n\n3,4\n\n',
    [
      [3, ['a', 'b']],
      [5, ['1', '2']],
      [7, ['3', '4']],
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
      [2, 'The row has 1 cells, the header has 2.'],
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
])('%s', async (_, text, rows) => {
  expect(await read(text)).toEqual(rows)
  expect(await read(text, 3)).toEqual(rows)
})

test.each<[string, Buffer, RegExp]>([
  ['Latin-1', Buffer.from('a,b\n1,2\n3,caf\xe9\n', 'latin1'), /not UTF-8 text \(see line 3\)/],
  ['Latin-1 at the very end', Buffer.from('a,b\n1,caf\xe9', 'latin1'), /not UTF-8 text/],
  ['UTF-16', Buffer.from('\ufeffa,b\n', 'utf16le'), /it is UTF-16/],
  ['a row without end', Buffer.from(`a,b\n"${'x'.repeat(5_000_000)}`), /line 2 has more than/],
])('%s is refused', async (_, bytes, message) => {
  await expect(read(bytes)).rejects.toThrow(message)
})

test('text cut between any two bytes stays whole', async () => {
  const text = 'a,b\né漢😀,x\n'
  for (let size = 1; size < 12; size++) expect(await read(text, size)).toEqual([header, [2, ['é漢😀', 'x']]])
})
