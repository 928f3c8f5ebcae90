// Checks that bytes are UTF-8, and names the first invalid line.
import { isUtf8 } from 'node:buffer'
import { AppError } from '../../errors.ts'

const encodingError = (where: string) =>
  new AppError(
    'validation_error',
    `The file is not UTF-8 text (${where}). Save it as "CSV UTF-8", or convert it: iconv -f WINDOWS-1252 -t UTF-8 old.csv > new.csv`,
  )

const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]

/** The number of bytes at the end that start a character which continues in the next chunk. */
export function openBytes(chunk: Buffer): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back++) {
    const byte = chunk[chunk.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

function firstBadLine(chunk: Buffer): number {
  let lines = 0
  for (let start = 0; start < chunk.length; lines++) {
    const newline = chunk.indexOf(0x0a, start)
    const end = newline === -1 ? chunk.length : newline + 1
    if (!isUtf8(chunk.subarray(start, end))) return lines
    start = end
  }
  return lines
}

function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) lines++
  return lines
}

/** Passes UTF-8 on, in chunks that end with a whole character. @throws 400 validation_error naming the line */
export async function* requireUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let lines = 1
  let isFirst = true
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (isFirst && UTF16_MARKS.some((mark) => bytes.subarray(0, 2).equals(mark)))
      throw encodingError('it is UTF-16')
    isFirst = false
    const whole = bytes.subarray(0, bytes.length - openBytes(bytes))
    if (!isUtf8(whole)) throw encodingError(`see line ${lines + firstBadLine(whole)}`)
    rest = bytes.subarray(whole.length)
    lines += countLines(whole)
    if (whole.length > 0) yield whole
  }
  if (rest.length > 0) throw encodingError('its last character is cut off')
}
