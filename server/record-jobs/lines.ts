// Divides the bytes of a file into lines, from any line on, without holding more than one batch of them.
import { JOB_LINE_BYTES_MAX } from '../../contract/limits.ts'

export interface Line {
  /** From 1. */
  line: number
  /** undefined: it is too long, or not UTF-8. */
  text: string | undefined
}

export interface LineBatch {
  lines: Line[]
  /** Bytes and lines of the file that this batch takes, empty lines included. */
  bytes: number
  count: number
}

interface BatchBounds {
  /** How many lines of the file come before. */
  before: number
  limit: number
  /** A batch of long lines has fewer. */
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

/** Collects the bytes of one line; of a line that is too long only as many as show that it is. */
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

/** The next lines. Without any, and with `bytes` 0, the file is at its end. */
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
