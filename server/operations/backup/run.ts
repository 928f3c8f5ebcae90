// One backup, for a command. Retention is left to the service.
import type { Client } from 'pg'
import type { Logger } from 'pino'
import type { Sql } from 'sql-template-tag'
import { errorCode } from '../../base/error-code.ts'
import type { Config } from '../../config/config.ts'
import { openDatabase } from '../../db/database.ts'
import { ensureKeyFiles, type KeyPlace } from '../../secrets/key-files.ts'
import { checkSecrets } from '../diagnosis/secrets.ts'
import { hasDatabase } from '../diagnosis/service.ts'
import { type BackupProgress, createBackup, inBackupTurn, withAdministration } from './create.ts'
import type { BackupManifest } from './manifest.ts'
import { BackupError } from './object-store.ts'
import { sourceOf } from './open.ts'
import { openChain } from './open-chain.ts'
import type { Vault } from './vault.ts'

export interface RunOptions {
  config: Config
  vault: Vault
  /** True for a place to which the service does not archive: the backup gets a separate chain, which ends with it. */
  isOnce: boolean
  signal: AbortSignal
  onProgress: (progress: BackupProgress) => void
  log: Logger
}

const NO_SUCH_TABLE = '42P01'

/** Returns no rows for missing tables: a database of an earlier version lacks some. */
const rowsOf = (client: Pick<Client, 'query'>) => ({
  many: async <Row>(query: Sql): Promise<Row[]> => {
    try {
      return (await client.query(query)).rows as Row[]
    } catch (error) {
      if (errorCode(error) === NO_SUCH_TABLE) return []
      throw error
    }
  },
})

/**
 * Makes the key files of an installation whose service has not started yet. Makes none if secrets are encrypted with a
 * missing key: a new key would hide that from the next start.
 */
export async function makeUnusedKeys(client: Pick<Client, 'query'>, place: KeyPlace): Promise<void> {
  const { status } = await checkSecrets(rowsOf(client), place)
  if (status === 'ok') ensureKeyFiles(place)
}

/**
 * Backs up the embedded database of the configuration, with or without a running service.
 * @throws BackupError with one line that says what to do
 */
export async function runBackup({
  config,
  vault,
  isOnce,
  log,
  ...options
}: RunOptions): Promise<BackupManifest> {
  if (config.databaseUrl !== undefined)
    throw new BackupError(
      'rapport backup is for the embedded database. Back up the server in DATABASE_URL with pgBackRest, WAL-G or pg_basebackup: see docs/operators/backup.md',
    )
  if (!(await hasDatabase(config)))
    throw new BackupError(`There is no database in ${config.dataDir}: check DATA_DIR`)
  const database = await openDatabase(config, { mode: 'attach', onNotice: (line) => log.info(line) })
  try {
    if (database.embedded === undefined)
      throw new BackupError('The database is not embedded: use the tools of PostgreSQL to back it up')
    const source = sourceOf(config, database.embedded)
    return await withAdministration(source, async (client) => {
      await makeUnusedKeys(client, config)
      const manifest = await inBackupTurn(client, async () => {
        const chain = await openChain(client, { source, vault, log, isOnce })
        return createBackup({ source, vault, log, ...options }, client, chain)
      })
      if (manifest) return manifest
      throw new BackupError('Another backup is being made: wait until it has ended')
    })
  } finally {
    await database.stop()
  }
}
