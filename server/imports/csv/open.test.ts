import { expect, test } from 'vitest'
import { openCsv, openCsvStream } from './open.ts'
import { sampleFile } from './survey.ts'

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
])('reads a pipe of %s like a file', async (_, bytes, encoding) => {
  for (const csv of [await openCsv(() => pieces(bytes)), await openCsvStream(pieces(bytes))]) {
    expect(csv).toMatchObject({ encoding, survey: { delimiter: ';', columns: [{ samples: ['é漢😀'] }, {}] } })
    expect(await readAll(csv.rows())).toEqual([String(ROWS + 1), 'Name|Note', 'é漢😀|x'])
  }
})

test('rejects a pipe whose encoding changes, and reads a file in an encoding that fits all of it', async () => {
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

const latin = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['with line feeds', '\n'],
  ['with carriage returns', '\r'],
  ['with both', '\r\n'],
])('rejects a file in two encodings with the line of the first invalid byte, %s', async (_, end) => {
  const before = `Name${end}${`Ada${end}`.repeat(ROWS)}`
  const late = Buffer.concat([Buffer.from(`Zo\u00eb${end}`), Buffer.from(before), latin(`Jos\u00e9${end}`)])
  const early = Buffer.concat([latin(`Jos\u00e9${end}`), Buffer.from(before), Buffer.from(`Zo\u00eb${end}`)])
  await expect(openCsv(() => pieces(late))).rejects.toThrow(`UTF-8 up to line ${ROWS + 3},`)
  await expect(openCsv(() => pieces(early))).rejects.toThrow('UTF-8 up to line 1,')
})

test('rejects a file in two encodings wherever its pieces are cut', async () => {
  const file = Buffer.concat([Buffer.from('Name\n\u00eb\u6f22\ud83d\ude00\n'), latin('\u00e9\n')])
  for (let at = 1; at < file.length; at++) {
    async function* cut() {
      yield* [file.subarray(0, at), file.subarray(at)]
    }
    await expect(openCsv(cut)).rejects.toThrow('UTF-8 up to line 3,')
  }
})

test('sampleFile reads only the beginning of a file', async () => {
  let taken = 0
  async function* empty() {
    for (; taken < 100; taken++) yield '\n'.repeat(1024 * 1024)
  }
  expect(await sampleFile(empty(), { hasSamples: true })).toBeUndefined()
  expect(taken).toBeLessThan(10)
  taken = 0
  async function* blank() {
    yield 'Name,Day\na,1/2/2026\n'
    for (; taken < 100; taken++) yield ',\n'.repeat(512 * 1024)
  }
  expect(await sampleFile(blank(), { hasSamples: true })).toMatchObject({
    columns: [{ samples: ['a'] }, { samples: ['1/2/2026'] }],
  })
  expect(taken).toBeLessThan(10)
})

test.each([
  ['a file', () => openCsv(() => pieces(Buffer.alloc(0)))],
  ['a pipe', () => openCsvStream(pieces(Buffer.alloc(0)))],
  ['empty lines', () => openCsv(() => pieces(Buffer.from('\n\n')))],
])('%s without content is refused', async (_, open) => {
  await expect(open()).rejects.toThrow('The file is empty')
})

test('a file with only a header has no rows', async () => {
  const { survey } = await openCsv(() => pieces(Buffer.from('Name,Note\n')))
  expect(survey).toMatchObject({ rows: 0, columns: [{ header: 'Name' }, { header: 'Note' }] })
})
