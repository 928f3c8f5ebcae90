// Reads which part of a file a request is for (RFC 9110, sections 13 and 14).

/** Both ends are included. */
export interface ByteRange {
  start: number
  end: number
}

const SINGLE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/

/** undefined: the whole file, also for several ranges and unknown units; `beyond`: the range is after the end. */
export function readRange(header: string | undefined, size: number): ByteRange | 'beyond' | undefined {
  const found = SINGLE.exec(header ?? '')
  if (!found) return undefined
  const [, first, last, suffix] = found
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'beyond' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = Math.min(last === undefined ? size - 1 : Number(last), size - 1)
  if (last !== undefined && Number(last) < start) return undefined
  return start >= size ? 'beyond' : { start, end }
}
