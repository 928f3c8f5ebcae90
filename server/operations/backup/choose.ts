// Which backup a command uses. If two installations store in one place, one is never confused with the other.
import { candidates, describeSpan, readSpans } from './chain-facts.ts'
import { type BackupManifest, listBackups } from './manifest.ts'
import { BackupError } from './object-store.ts'
import { chooseBackup } from './restore.ts'
import type { Vault } from './vault.ts'

interface Wanted {
  id?: string | undefined
  chain?: string | undefined
  to?: Date | undefined
}

async function inOneChain(
  vault: Vault,
  backups: readonly BackupManifest[],
  to: Date | undefined,
): Promise<BackupManifest[]> {
  const spans = candidates(await readSpans(vault, backups), to)
  if (spans.length > 1)
    throw new BackupError(
      `${vault.store.where} has backups of several installations, or of copies that ran at the same time: choose one by --chain, or a backup by --backup. There are: ${spans.map(describeSpan).join('; ')}`,
    )
  return backups.filter(({ chain }) => spans.length === 0 || chain === spans[0]?.chain)
}

function ofChain(backups: readonly BackupManifest[], wanted: string): BackupManifest[] {
  const found = backups.filter(({ chain }) => chain === wanted)
  if (found.length > 0) return found
  const known = [...new Set(backups.map(({ chain }) => chain))].join(', ')
  throw new BackupError(`There is no chain ${wanted} with a backup: choose one of ${known}`)
}

/** @throws BackupError that lists the choices */
export async function pickBackup(vault: Vault, { id, chain, to }: Wanted): Promise<BackupManifest> {
  const { backups, unfinished, damaged } = await listBackups(vault.store)
  const unreadable = [...unfinished, ...damaged]
  if (backups.length === 0)
    throw new BackupError(
      `There is no complete backup in ${vault.store.where} (${unreadable.length} without a readable manifest): check BACKUP_URL or --from, and that the disk is mounted`,
    )
  if (id !== undefined) return chooseBackup(backups, { id, to })
  const among = chain === undefined ? await inOneChain(vault, backups, to) : ofChain(backups, chain)
  return chooseBackup(among, { to, unreadable })
}
