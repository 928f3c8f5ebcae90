// Divides the bytes of a file into lines, starting at any line, without holding more than one batch of lines.
import { JOB_LINE_BYTES_MAX } from '../../contract/limits.ts'

export interface Line {
  /** Number of the line, from 1. */
  line: number
  /** undefined if the line is too long or not UTF-8. */
  text: string | undefined
}

export interface LineBatch {
  lines: Line[]
  /** Number of bytes and lines of the batch, including empty lines. */
  bytes: number
  count: number
}

interface BatchBounds {
  /** Number of lines of the file before the batch. */
  before: number
  limit: number
  /** Limits the bytes of a batch of long lines. */
  bytesMax?: number
}

const LINE_BREAK = 0x0a
const BATCH_BYTES_MAX = 4 * 1024 * 1024

const decoder = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): string | undefined {
  if (bytes.length > JOB_LINE_BYTES_MAX) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Collects the bytes of one line. Of a line that is too long, keeps only enough bytes to detect it. */
class LineBytes {
  length = 0
  #kept: Buffer[] = []
  #keptLength = 0

  add(piece: Buffer): void {
    this.length += piece.length
    if (this.#keptLength > JOB_LINE_BYTES_MAX) return
    this.#kept.push(piece)
    this.#keptLength += piece.length
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#kept)
  }
}

/** Reads the next lines. At the end of the file, returns no lines and `bytes` 0. */
export async function nextLines(
  content: AsyncIterable<Buffer>,
  { before, limit, bytesMax = BATCH_BYTES_MAX }: BatchBounds,
): Promise<LineBatch> {
  const batch: LineBatch = { lines: [], bytes: 0, count: 0 }
  let current = new LineBytes()
  const end = (breakBytes: number) => {
    batch.bytes += current.length + breakBytes
    batch.count++
    const text = textOf(current.bytes)
    if (text === undefined || text.trim() !== '') batch.lines.push({ line: before + batch.count, text })
    current = new LineBytes()
  }
  for await (const chunk of content) {
    let start = 0
    for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, start)) {
      current.add(chunk.subarray(start, at))
      start = at + 1
      end(1)
      if (batch.lines.length >= limit || batch.bytes >= bytesMax) return batch
    }
    current.add(chunk.subarray(start))
  }
  if (current.length > 0) end(0)
  return batch
}
