// A CSV file as the dashboard and the command read it: encoding, delimiter, columns with samples, then its rows.
import { decodeText, type Encoding, EncodingWatch, unreadable } from './encoding.ts'
import { type CsvRow, readCsv } from './read.ts'
import { type Survey, surveyFile } from './survey.ts'

type Bytes = AsyncIterable<Buffer>

export interface CsvFile {
  encoding: Encoding
  survey: Survey
  bytes: () => Bytes
  /** All rows, from the header on. */
  rows: () => AsyncGenerator<CsvRow>
}

/** @throws 400 validation_error */
export async function encodingOf(bytes: Bytes): Promise<Encoding> {
  const watch = new EncodingWatch()
  let isEmpty = true
  for await (const chunk of bytes) {
    isEmpty = false
    watch.see(chunk)
  }
  if (isEmpty) throw unreadable('The file is empty: choose one with a header and rows')
  return watch.result()
}

/** @param read returns the bytes of the file; it is called several times @throws 400 validation_error */
export async function openCsv(read: () => Bytes): Promise<CsvFile> {
  const encoding = await encodingOf(read())
  const survey = await surveyFile(decodeText(read(), encoding))
  const rows = () => readCsv(decodeText(read(), encoding), survey.delimiter)
  return { encoding, survey, bytes: read, rows }
}

/** How much of a stream is examined before its rows are read: a stream can be read only once. */
const HEAD_BYTES = 64 * 1024

async function takeHead(pieces: AsyncIterator<Buffer>): Promise<{ head: Buffer; isWhole: boolean }> {
  const held: Buffer[] = []
  for (let size = 0; size < HEAD_BYTES; ) {
    const next = await pieces.next()
    if (next.done) return { head: Buffer.concat(held), isWhole: true }
    held.push(next.value)
    size += next.value.length
  }
  return { head: Buffer.concat(held), isWhole: false }
}

/** The head up to the end of a line, so that it ends with a complete character and a complete row. */
function wholeLines(head: Buffer, encoding: Encoding): Buffer {
  if (encoding.startsWith('utf-16')) return head.subarray(0, head.length - (head.length % 2))
  return head.subarray(0, head.lastIndexOf('\n') + 1 || head.length)
}

/** As openCsv, for a pipe: its beginning decides the encoding and the columns. The number of rows is unknown. */
export async function openCsvStream(source: Bytes): Promise<CsvFile> {
  const pieces = source[Symbol.asyncIterator]()
  const { head, isWhole } = await takeHead(pieces)
  if (head.length === 0) throw unreadable('The file is empty: choose one with a header and rows')
  const watch = new EncodingWatch()
  watch.see(head)
  const encoding = watch.result({ isWhole })
  async function* looked() {
    yield isWhole ? head : wholeLines(head, encoding)
  }
  async function* all() {
    try {
      yield head
      for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
    } finally {
      await pieces.return?.()
    }
  }
  const survey = await surveyFile(decodeText(looked(), encoding))
  const rows = () => readCsv(decodeText(all(), encoding), survey.delimiter)
  return { encoding, survey, bytes: all, rows }
}
