// Missing segments in the archived log, as far as names show them. A damaged segment is found only by reading it.
import { formatLsn, parseLsn, segmentName, segmentStart } from './lsn.ts'
import type { BackupManifest } from './manifest.ts'
import { type ArchiveHead, leastRecordEnd } from './wal-archive.ts'

type Start = Pick<BackupManifest, 'startLsn' | 'timeline' | 'segmentBytes'>

/** Segments from the start of a backup to the end of the archive that are not stored, in order. */
export function missingSegments(
  { startLsn, timeline, segmentBytes }: Start,
  { lsn }: Pick<ArchiveHead, 'lsn'>,
  stored: ReadonlySet<string>,
): string[] {
  const missing: string[] = []
  const size = BigInt(segmentBytes)
  for (let at = segmentStart(parseLsn(startLsn), segmentBytes); at < parseLsn(lsn); at += size) {
    const name = segmentName(timeline, at, segmentBytes)
    if (!stored.has(name)) missing.push(name)
  }
  return missing
}

/** Text for operators; the segments need not be adjacent. */
export function gapText(missing: readonly string[]): string {
  const [first = '', last = ''] = [missing[0], missing.at(-1)]
  if (missing.length === 1) return `${first} is missing`
  return `${missing.length} objects from ${first} to ${last} are missing`
}

type Span = Start & Pick<BackupManifest, 'endLsn' | 'endedAt'>

/**
 * A time to which a backup can certainly be restored although a segment is missing: the end of the chain's last backup
 * that ended before the segment. null: the backup itself needs the segment.
 */
export function certainUntil(backup: Span, missing: string, chain: readonly Span[]): string | null {
  const isBefore = ({ endLsn, timeline, segmentBytes }: Span) =>
    segmentName(timeline, parseLsn(endLsn) - 1n, segmentBytes) < missing
  if (!isBefore(backup)) return null
  const later = chain.filter((one) => isBefore(one) && one.endedAt > backup.endedAt)
  return later.reduce((until, { endedAt }) => (endedAt > until ? endedAt : until), backup.endedAt)
}

interface Replayed {
  /** The wanted time; undefined: the end of the log. */
  to: Date | undefined
  /** Whether PostgreSQL has found a commit after the wanted time. */
  isReached: boolean
  head: ArchiveHead | undefined
  /** Problems that were found while the log was read. */
  problems: readonly string[]
  /** The end of the last record that was replayed; null: not known. */
  replayedTo: string | null
  /** The time of the last change that was replayed. */
  lastSeen: string
}

interface Reached {
  /** Why the restore did not reach the wanted time, or the end of the archive; empty: it did. */
  gaps: string[]
  /** Everything committed before this time is restored. */
  until: string
}

/** How far a restore came. */
export function reachedBy({ to, isReached, head, problems, replayedTo, lastSeen }: Replayed): Reached {
  const wanted = to?.toISOString()
  if (wanted !== undefined && isReached) return { gaps: [], until: wanted }
  if (problems.length > 0 || head === undefined) return { gaps: [...problems], until: lastSeen }
  const least = leastRecordEnd(head)
  if (least !== undefined && replayedTo !== null && parseLsn(replayedTo) < least)
    return {
      gaps: [`the log cannot be read after ${replayedTo}, and was archived up to ${formatLsn(least)}`],
      until: lastSeen,
    }
  if (wanted === undefined || wanted <= head.at) return { gaps: [], until: wanted ?? head.at }
  return { gaps: [`the archive ends at ${head.at}, before the wanted time`], until: head.at }
}
