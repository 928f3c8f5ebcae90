// Ids are UUIDv7, monotonic within a process. createdAt is the time in the id.
import { V7Generator } from 'uuidv7'

const random = new Uint32Array(1024)
let used = random.length

/** Random numbers are fetched in advance: a bulk request makes 200 ids, and a system call for each was too slow. */
function nextUint32(): number {
  if (used === random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  return random[used++] ?? 0
}

const generator = new V7Generator({ nextUint32 })

const HEX_DIGITS = Buffer.from('0123456789abcdef')
/** The offset of the two digits of each byte in the text of an id; the other characters are dashes. */
const DIGITS_AT = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34)
const text = Buffer.alloc(36, '-')

/**
 * Replaces the library's toString, which appends 36 characters one by one. That creates a kilobyte of string pieces for
 * each id, which stay in memory as long as the id.
 */
function textOf(bytes: Readonly<Uint8Array>): string {
  for (let byte = 0; byte < DIGITS_AT.length; byte++) {
    const at = DIGITS_AT[byte] ?? 0
    const value = bytes[byte] ?? 0
    text[at] = HEX_DIGITS[value >>> 4] ?? 0
    text[at + 1] = HEX_DIGITS[value & 15] ?? 0
  }
  return text.toString('latin1')
}

export const newId = (): string => textOf(generator.generate().bytes)

const past = new V7Generator()

/** An id with the time `at`, for sample data of past months. */
export const newIdAt = (at: Date): string => past.generateOrResetCore(at.getTime(), 0).toString()

/** The time in a UUIDv7, in milliseconds since 1970. */
export const idTime = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

export const withCreatedAt = <Row extends { id: string }>(row: Row): Row & { createdAt: string } => ({
  ...row,
  createdAt: new Date(idTime(row.id)).toISOString(),
})

function idAt(id: string, distance: bigint): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + distance).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The greatest id below `id`. */
export const idBefore = (id: string): string => idAt(id, -1n)

/** The smallest id above `id`. */
export const idAfter = (id: string): string => idAt(id, 1n)

/** The smallest UUIDv7 with the time `at`: a bound for ranges of ids. */
export function lowestIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}
