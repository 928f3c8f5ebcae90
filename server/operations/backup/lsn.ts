// Positions in the write-ahead log, and the names of its segments.

/** In PostgreSQL's notation: `16/B374D848`. */
export function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const formatLsn = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase()

const hex = (number: bigint) => number.toString(16).toUpperCase().padStart(8, '0')

/** The name of the segment that contains the position. */
export function segmentName(timeline: number, lsn: bigint, segmentBytes: number): string {
  const segment = lsn / BigInt(segmentBytes)
  const perId = 0x1_0000_0000n / BigInt(segmentBytes)
  return `${hex(BigInt(timeline))}${hex(segment / perId)}${hex(segment % perId)}`
}

/** The first position of the segment that contains this one. */
export const segmentStart = (lsn: bigint, segmentBytes: number): bigint => lsn - (lsn % BigInt(segmentBytes))
