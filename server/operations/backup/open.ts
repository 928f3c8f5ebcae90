import type { BackupConfig, BackupTarget } from '../../config/backup-config.ts'
import type { Config } from '../../config/config.ts'
import type { EmbeddedServer } from '../../db/embedded.ts'
import { openFolderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import { openS3Store } from './s3-store.ts'
import type { BackupSource } from './source.ts'
import { openVault, type Vault } from './vault.ts'

const openStore = (target: BackupTarget): ObjectStore =>
  'path' in target ? openFolderStore(target.path) : openS3Store(target.access, target.folder)

/** Opens and makes nothing before the first use. */
export const openBackups = (target: BackupTarget, keys: readonly Buffer[] | undefined): Vault =>
  openVault(openStore(target), keys)

/** Whether the service archives to this place, in any notation of it. */
export async function isArchivedTo(
  { target }: Pick<BackupConfig, 'target'>,
  { store }: Pick<Vault, 'store'>,
): Promise<boolean> {
  if (target === undefined) return false
  const own = openStore(target)
  await own.close()
  return own.where === store.where
}

export const sourceOf = (config: Config, server: EmbeddedServer): BackupSource => ({
  dataDir: config.dataDir,
  keySettings: config,
  administration: (database) => server.administration(database),
  hasFiles: config.s3 === undefined,
})
