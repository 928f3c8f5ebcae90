// Decides when a disk is too full to write to. The limits depend on its size, as the PostgreSQL setting max_wal_size
// does (db/embedded/settings.ts): the remaining space is enough for running writes and for the log that reads write.

const MIB = 1024 ** 2
const MIN_BYTES_LEAST = 96 * MIB
const MIN_BYTES_MOST = 1024 * MIB
const RESUME_MORE_MOST = 512 * MIB
const LOW_MORE_MOST = 4096 * MIB

export interface Limits {
  /** Below this writes are refused. */
  minBytes: number
  /** From this on writes are accepted again: more than `minBytes`, so that a disk at the limit does not alternate. */
  resumeBytes: number
  /** Below this operators are warned. */
  lowBytes: number
}

export type Fill = 'enough' | 'low' | 'full'

/** More than disks write, so that a limit is not crossed long before the next check. */
const WRITTEN_PER_MS_MOST = (4 * 1024 ** 3) / 1000
const CHECK_MS_MOST = 1000

/** @param minBytes the setting DISK_FREE_MIN_BYTES */
export function limitsOf(sizeBytes: number, minBytes: number | undefined): Limits {
  const usual = Math.min(MIN_BYTES_MOST, Math.max(MIN_BYTES_LEAST, Math.floor(sizeBytes / 20)))
  const min = minBytes ?? usual
  return {
    minBytes: min,
    resumeBytes: min + Math.min(Math.ceil(min / 2), RESUME_MORE_MOST),
    lowBytes: min + Math.min(min * 4, LOW_MORE_MOST),
  }
}

export function judgeFill(
  before: Fill,
  freeBytes: number,
  { minBytes, resumeBytes, lowBytes }: Limits,
): Fill {
  if (freeBytes < (before === 'full' ? resumeBytes : minBytes)) return 'full'
  return freeBytes < lowBytes ? 'low' : 'enough'
}

/**
 * The time until the next check of the disks in milliseconds: at least `leastMs`, and more if no disk can reach its limit
 * before. A check of one disk takes about 0.2 ms of CPU time.
 */
export function checkAgainMs(
  disks: readonly { freeBytes: number; limits: Pick<Limits, 'minBytes'> }[],
  leastMs: number,
): number {
  const spareBytes = Math.min(...disks.map(({ freeBytes, limits }) => freeBytes - limits.minBytes))
  return Math.max(leastMs, Math.min(CHECK_MS_MOST, spareBytes / WRITTEN_PER_MS_MOST))
}
