import type { BackupTarget } from '../backup-config.ts'
import type { Config } from '../config.ts'
import type { EmbeddedServer } from '../db/embedded.ts'
import { openFolderStore } from './folder-store.ts'
import { openS3Store } from './s3-store.ts'
import type { Source } from './source.ts'
import { openVault, type Vault } from './vault.ts'

/** Nothing is opened or made before it is used. */
export function openBackups(target: BackupTarget, keys: readonly Buffer[] | undefined): Vault {
  const store = 'path' in target ? openFolderStore(target.path) : openS3Store(target.access, target.folder)
  return openVault(store, keys)
}

export const sourceOf = (config: Config, server: EmbeddedServer): Source => ({
  dataDir: config.dataDir,
  keySettings: config,
  administration: (database) => server.administration(database),
  hasFiles: config.s3 === undefined,
})
