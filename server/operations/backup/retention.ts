// Deletes what the retention period no longer needs. It deletes only for this installation: another installation in the
// same place loses nothing, nor does one that this installation has replaced by mistake.
import { readSpans } from './chain-facts.ts'
import { deletedFilesName } from './create.ts'
import { parseLsn, segmentName } from './lsn.ts'
import { type BackupManifest, backupPrefix, listBackups } from './manifest.ts'
import { deleteStoredFiles } from './stored-files.ts'
import type { Vault } from './vault.ts'
import { readHead, walPrefix } from './wal-archive.ts'

const DAY_MS = 24 * 3600_000

export interface Removed {
  backups: string[]
  segments: number
}

interface Retention {
  /** Any time within this number of days can be restored. */
  days: number
  now: Date
  /** The chain in use: unfinished backups in it come from failed or killed processes. */
  chain: string
}

/** Backups of one chain, oldest first, that are not needed for any time within the period. */
function outdated<Backup extends Pick<BackupManifest, 'endedAt'>>(
  backups: readonly Backup[],
  { days, now }: Pick<Retention, 'days' | 'now'>,
): Backup[] {
  const from = new Date(now.getTime() - days * DAY_MS).toISOString()
  const needed = backups.findLastIndex(({ endedAt }) => endedAt <= from)
  return backups.slice(0, Math.max(0, needed))
}

/** Removes log from before the oldest kept backup. */
async function removeLog(
  { store }: Vault,
  { chain, startLsn, timeline, segmentBytes }: BackupManifest,
): Promise<number> {
  const first = segmentName(timeline, parseLsn(startLsn), segmentBytes)
  let removed = 0
  for await (const name of store.list(walPrefix(chain))) {
    if (name.slice(walPrefix(chain).length) >= first) break
    await store.delete(name)
    removed++
  }
  return removed
}

/** Removes files that were deleted before the oldest kept backup. */
async function removeFiles(vault: Vault, oldest: BackupManifest): Promise<void> {
  // If this list is unreadable, the list of a later backup contains the same files.
  const text = await vault.getTorn(deletedFilesName(oldest))
  if (text === undefined || text.isTorn) return
  await deleteStoredFiles(vault, oldest.chain, JSON.parse(text.bytes.toString()))
  await vault.store.delete(deletedFilesName(oldest))
}

async function isOver(vault: Vault, chain: string, { days, now }: Retention): Promise<boolean> {
  const head = await readHead(vault, chain)
  return head !== undefined && Date.parse(head.at) < now.getTime() - days * DAY_MS
}

async function removeFromChain(
  vault: Vault,
  backups: readonly BackupManifest[],
  retention: Retention,
): Promise<Removed> {
  const removed: Removed = { backups: [], segments: 0 }
  for (const backup of outdated(backups, retention)) {
    // The manifest is deleted first: the rest is then no longer a backup, even after an interruption.
    await vault.store.delete(`${backupPrefix(backup)}manifest.json`)
    await vault.store.deleteAll(backupPrefix(backup))
    removed.backups.push(backup.id)
  }
  const oldest = backups[removed.backups.length]
  if (oldest === undefined) return removed
  await removeFiles(vault, oldest)
  removed.segments = await removeLog(vault, oldest)
  return removed
}

async function ownChains(
  vault: Vault,
  backups: readonly BackupManifest[],
  { chain: current }: Retention,
): Promise<Set<string>> {
  const spans = await readSpans(vault, backups)
  const own = spans.find(({ chain }) => chain === current)?.installation ?? null
  const others = spans.filter(({ installation }) => installation !== null && installation === own)
  return new Set([current, ...others.map(({ chain }) => chain)])
}

/** Runs in the turn of a backup (`inBackupTurn`). */
export async function removeOutdated(vault: Vault, retention: Retention): Promise<Removed> {
  await vault.store.sweep()
  const { backups, unfinished } = await listBackups(vault.store)
  const own = await ownChains(vault, backups, retention)
  for (const { chain, id } of unfinished)
    if (chain === retention.chain) await vault.store.deleteAll(backupPrefix({ chain, id }))
  const all: Removed = { backups: [], segments: 0 }
  for (const [chain, ofChain] of Map.groupBy(backups, (backup) => backup.chain)) {
    if (!own.has(chain)) continue
    if (chain !== retention.chain && (await isOver(vault, chain, retention))) {
      for (const { id, ...rest } of ofChain) {
        await vault.store.delete(`${backupPrefix({ id, ...rest })}manifest.json`)
        all.backups.push(id)
      }
      await vault.store.deleteAll(`${chain}/`)
      continue
    }
    const { backups: removed, segments } = await removeFromChain(vault, ofChain, retention)
    all.backups.push(...removed)
    all.segments += segments
  }
  return all
}
