import { expect, test } from 'vitest'
import { openCsv, openCsvStream } from './open.ts'

/** Pieces that end within characters. */
async function* pieces(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += 1001) yield file.subarray(at, at + 1001)
}

const ROWS = 40_000
const TEXT = `Name;Note\n${'é漢😀;x\n'.repeat(ROWS)}`

async function readAll(rows: AsyncIterable<{ cells: string[]; error?: string }>): Promise<string[]> {
  const found = new Set<string>()
  let count = 0
  for await (const { cells, error } of rows) {
    count++
    found.add(error ?? cells.join('|'))
  }
  return [String(count), ...found]
}

test.each<[string, Buffer, string]>([
  ['UTF-8', Buffer.from(TEXT), 'utf-8'],
  ['UTF-16', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 'utf-16le'],
])('a pipe of %s is read as a file is', async (_, bytes, encoding) => {
  for (const csv of [await openCsv(() => pieces(bytes)), await openCsvStream(pieces(bytes))]) {
    expect(csv).toMatchObject({ encoding, survey: { delimiter: ';', columns: [{ samples: ['é漢😀'] }, {}] } })
    expect(await readAll(csv.rows())).toEqual([String(ROWS + 1), 'Name|Note', 'é漢😀|x'])
  }
})

test('a pipe that goes on in another encoding is refused, a file is read by all of it', async () => {
  const bytes = Buffer.concat([
    Buffer.from(`Name\n${'Ada\n'.repeat(ROWS)}`),
    Buffer.from('Jos\u00e9\n', 'latin1'),
  ])
  const { rows } = await openCsvStream(pieces(bytes))
  await expect(readAll(rows())).rejects.toThrow('begins as UTF-8 and goes on with other bytes')
  const file = await openCsv(() => pieces(bytes))
  expect([file.encoding, await readAll(file.rows())]).toEqual([
    'windows-1252',
    [String(ROWS + 2), 'Name', 'Ada', 'José'],
  ])
})

test.each([
  ['a file', () => openCsv(() => pieces(Buffer.alloc(0)))],
  ['a pipe', () => openCsvStream(pieces(Buffer.alloc(0)))],
  ['empty lines', () => openCsv(() => pieces(Buffer.from('\n\n')))],
])('%s without anything is refused', async (_, open) => {
  await expect(open()).rejects.toThrow('The file is empty')
})

test('a file with a header alone has no rows', async () => {
  const { survey } = await openCsv(() => pieces(Buffer.from('Name,Note\n')))
  expect(survey).toMatchObject({ rows: 0, columns: [{ header: 'Name' }, { header: 'Note' }] })
})
