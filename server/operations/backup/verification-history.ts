// When backups were verified, and when the next verification is due. Also stored with the chain, because the verified
// backups may be removed before the next verification.
import { isDeepStrictEqual } from 'node:util'
import type { BackupManifest } from './manifest.ts'
import { type ObjectStore, putJson, readJson } from './object-store.ts'

const HOUR_MS = 3600_000
/** The delay after a failure, so that repeated restores do not keep the machine busy. */
export const RETRY_MS = 6 * HOUR_MS

export interface VerificationHistory {
  /** The time of the chain's first backup, as far as it is known. */
  firstBackupAt: string
  lastPassedAt: string | null
  lastFailedAt: string | null
}

interface JudgedBackup {
  manifest: Pick<BackupManifest, 'endedAt'>
  /** The time of the last success. */
  verifiedAt: string | null
  /** The time of the last failure; null if the last verification passed. */
  failedAt: string | null
}

const newest = (times: readonly (string | null)[]): string | null =>
  times
    .filter((time) => time !== null)
    .sort()
    .at(-1) ?? null

/** @param kept the stored history of the chain @returns undefined: there is no backup */
export function historyOf(
  backups: readonly JudgedBackup[],
  kept: VerificationHistory | undefined,
): VerificationHistory | undefined {
  const [first] = backups
  if (first === undefined) return undefined
  const firstBackupAt = first.manifest.endedAt
  return {
    firstBackupAt: kept && kept.firstBackupAt < firstBackupAt ? kept.firstBackupAt : firstBackupAt,
    lastPassedAt: newest([kept?.lastPassedAt ?? null, ...backups.map(({ verifiedAt }) => verifiedAt)]),
    lastFailedAt: newest([kept?.lastFailedAt ?? null, ...backups.map(({ failedAt }) => failedAt)]),
  }
}

const historyName = (chain: string) => `${chain}/verification.json`

export const readHistory = (store: ObjectStore, chain: string): Promise<VerificationHistory | undefined> =>
  readJson<VerificationHistory>(store, historyName(chain))

/** Stores the history only if it has changed. */
export async function keepHistory(
  store: ObjectStore,
  chain: string,
  { firstBackupAt, lastPassedAt, lastFailedAt }: VerificationHistory,
): Promise<void> {
  const history: VerificationHistory = { firstBackupAt, lastPassedAt, lastFailedAt }
  if (!isDeepStrictEqual(await readHistory(store, chain), history))
    await putJson(store, historyName(chain), history)
}

/** When the next verification is due, in ms since 1970. */
export function nextVerification(
  { firstBackupAt, lastPassedAt, lastFailedAt }: VerificationHistory,
  hours: number,
): number {
  const due = Date.parse(lastPassedAt ?? firstBackupAt) + hours * HOUR_MS
  if (lastFailedAt === null) return due
  return Math.max(due, Date.parse(lastFailedAt) + Math.min(hours * HOUR_MS, RETRY_MS))
}

export const hasFailed = ({ lastPassedAt, lastFailedAt }: VerificationHistory): boolean =>
  lastFailedAt !== null && (lastPassedAt === null || lastFailedAt > lastPassedAt)
