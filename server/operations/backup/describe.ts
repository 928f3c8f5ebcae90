// Backups as they are listed: what each can be restored to, what is missing, and whether a restore was tested.
import { type ChainSpan, candidates, readSpans } from './chain-facts.ts'
import { certainUntil, gapText, missingSegments } from './gaps.ts'
import {
  type BackupManifest,
  backupPrefix,
  type ListedBackups,
  listBackups,
  verifiedName,
} from './manifest.ts'
import { readJson } from './object-store.ts'
import type { Vault } from './vault.ts'
import type { Verification } from './verify.ts'
import { type ArchiveHead, readHead, storedSegments } from './wal-archive.ts'

export interface DescribedBackup {
  manifest: BackupManifest
  /** The end of the archived log, or of the log before a gap; null: not known, or the backup cannot be restored. */
  restorableUntil: string | null
  /** Why this is not the end of the archive. */
  gaps: string[]
  /** When a restore of the backup last passed every check. */
  verifiedAt: string | null
  /** When a restore last failed a check; null if the last one passed. */
  failedAt: string | null
}

export interface DescribedPlace extends Pick<ListedBackups, 'unfinished' | 'damaged'> {
  backups: DescribedBackup[]
  /** Several chains of different installations, or of copies that ran at the same time. */
  rivals: ChainSpan[]
}

interface StoredLog {
  head: ArchiveHead | undefined
  stored: ReadonlySet<string>
}

type Reach = Pick<DescribedBackup, 'restorableUntil' | 'gaps'>

/** The position is read first, so that every segment before it is in the list. */
const readLog = async (vault: Vault, chain: string): Promise<StoredLog> => ({
  head: await readHead(vault, chain),
  stored: await storedSegments(vault, chain),
})

interface Subject {
  backup: BackupManifest
  lostPacks: readonly string[]
  /** All backups of its chain. */
  chain: readonly BackupManifest[]
}

function reachOf({ backup, lostPacks, chain }: Subject, { head, stored }: StoredLog): Reach {
  if (lostPacks.length > 0) return { restorableUntil: null, gaps: [gapText(lostPacks)] }
  if (head === undefined)
    return { restorableUntil: null, gaps: ['head.json of the chain is missing or damaged'] }
  const missing = missingSegments(backup, head, stored)
  const [first] = missing
  if (first === undefined) return { restorableUntil: head.at, gaps: [] }
  return { restorableUntil: certainUntil(backup, first, chain), gaps: [gapText(missing)] }
}

/** A tested restore may have found gaps that the names do not show. */
function describe(
  manifest: BackupManifest,
  reach: Reach,
  verification: Verification | undefined,
): DescribedBackup {
  const { ok = false, at = null, gaps = [], until = null } = verification ?? {}
  const known = reach.gaps.length === 0 && gaps.length > 0 ? { restorableUntil: until, gaps } : reach
  return { manifest, ...known, verifiedAt: ok ? at : null, failedAt: ok ? null : at }
}

async function missingPacks({ store }: Vault, { packs, ...backup }: BackupManifest): Promise<string[]> {
  const stored = new Set(await Array.fromAsync(store.list(`${backupPrefix(backup)}database/`)))
  return packs.filter(({ name }) => !stored.has(name)).map(({ name }) => name)
}

/** The missing objects of this backup and of the log after it, by the names in the store. */
export async function findMissing(vault: Vault, backup: BackupManifest): Promise<string[]> {
  const look = async () => {
    const { head, stored } = await readLog(vault, backup.chain)
    return [...(await missingPacks(vault, backup)), ...(head ? missingSegments(backup, head, stored) : [])]
  }
  // Looks again, because the archiver may have renamed a segment while names were listed.
  return (await look()).length > 0 ? look() : []
}

export async function describePlace(vault: Vault): Promise<DescribedPlace> {
  const { backups, unfinished, damaged } = await listBackups(vault.store)
  const logs = new Map<string, StoredLog>()
  const described: DescribedBackup[] = []
  for (const manifest of backups) {
    const log = logs.get(manifest.chain) ?? (await readLog(vault, manifest.chain))
    logs.set(manifest.chain, log)
    const subject = {
      backup: manifest,
      lostPacks: await missingPacks(vault, manifest),
      chain: backups.filter(({ chain }) => chain === manifest.chain),
    }
    const verification = await readJson<Verification>(vault.store, verifiedName(manifest))
    described.push(describe(manifest, reachOf(subject, log), verification))
  }
  const open = candidates(await readSpans(vault, backups), undefined)
  return { backups: described, unfinished, damaged, rivals: open.length > 1 ? open : [] }
}
