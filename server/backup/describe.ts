// Backups as they are listed: with what they can be restored to, and whether that was tried.
import { listBackups, type Manifest, verifiedName } from './manifest.ts'
import type { Vault } from './vault.ts'
import { readHead } from './wal-archive.ts'

export interface DescribedBackup {
  manifest: Manifest
  /** The end of the archived log; null: it is not known. */
  restorableUntil: string | null
  /** When a restore of it last passed every check. */
  verifiedAt: string | null
}

export async function describeBackups(vault: Vault): Promise<DescribedBackup[]> {
  const described: DescribedBackup[] = []
  for (const manifest of (await listBackups(vault.store)).backups) {
    const verified = await vault.store.get(verifiedName(manifest))
    const { ok, at } = verified ? JSON.parse(verified.toString()) : { ok: false, at: null }
    const head = await readHead(vault, manifest.chain)
    described.push({ manifest, restorableUntil: head?.at ?? null, verifiedAt: ok ? at : null })
  }
  return described
}
