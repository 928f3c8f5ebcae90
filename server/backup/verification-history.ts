// When backups were verified, and when the next verification is due.
import type { DescribedBackup } from './describe.ts'

const HOUR_MS = 3600_000
/** After one that failed, so that its restores do not keep the machine busy. */
export const RETRY_MS = 6 * HOUR_MS

interface History {
  /** Of the first backup of the chain. */
  firstBackupAt: string
  lastPassedAt: string | null
  lastFailedAt: string | null
}

const newest = (times: readonly (string | null)[]): string | null =>
  times
    .filter((time) => time !== null)
    .sort()
    .at(-1) ?? null

export function historyOf(backups: readonly DescribedBackup[]): History | undefined {
  const [first] = backups
  return (
    first && {
      firstBackupAt: first.manifest.endedAt,
      lastPassedAt: newest(backups.map(({ verifiedAt }) => verifiedAt)),
      lastFailedAt: newest(backups.map(({ failedAt }) => failedAt)),
    }
  )
}

/** When the next verification is due, in ms since 1970. */
export function nextVerification(
  { firstBackupAt, lastPassedAt, lastFailedAt }: History,
  hours: number,
): number {
  const due = Date.parse(lastPassedAt ?? firstBackupAt) + hours * HOUR_MS
  if (lastFailedAt === null) return due
  return Math.max(due, Date.parse(lastFailedAt) + Math.min(hours * HOUR_MS, RETRY_MS))
}

export const hasFailed = ({ lastPassedAt, lastFailedAt }: History): boolean =>
  lastFailedAt !== null && (lastPassedAt === null || lastFailedAt > lastPassedAt)
