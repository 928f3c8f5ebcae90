// Makes one backup: the database while others continue to write, the files that the store lacks, and the keys.
import type pg from 'pg'
import type { Logger } from 'pino'
import { ANY_TIME, DATABASE_NAME, withClient } from '../../db/database.ts'
import { startBaseBackup } from './base-backup.ts'
import type { Chain } from './chain.ts'
import { newChainId } from './chain.ts'
import { createKeyArchive, readKeyVersions } from './key-archive.ts'
import { formatLsn, parseLsn } from './lsn.ts'
import { type BackupManifest, backupPrefix, keyName, putManifest } from './manifest.ts'
import { BackupError } from './object-store.ts'
import { type Pack, storePacks } from './packs.ts'
import { type BackupSource, clusterOf, databaseTime, filesFolder, selectSourceFacts } from './source.ts'
import { syncFiles } from './stored-files.ts'
import type { Vault } from './vault.ts'
import { createWalArchive, type WalArchive } from './wal-archive.ts'

export interface BackupProgress {
  /** Size of the database before compression. */
  bytes: number
  /** An estimate. */
  totalBytes: number
}

export interface BackupOptions {
  source: BackupSource
  vault: Vault
  signal: AbortSignal
  log: Logger
  onProgress?: (progress: BackupProgress) => void
  /** For tests, which need small packs. */
  packBytes?: number
}

interface Work extends BackupOptions {
  client: pg.Client
  chain: Chain
  archive: WalArchive
  id: string
}

// Keys of advisory locks in the database `rapport` that nothing else uses.
const BACKUP_LOCK = 7_227_001
const WAL_LOCK = 7_227_002

/** Runs `work` in a session of the superuser, whose statements may take any time. */
export const withAdministration = <Result>(
  source: BackupSource,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> =>
  withClient(
    { ...source.administration(DATABASE_NAME), ...ANY_TIME, application_name: 'rapport backup' },
    work,
  )

/** Only one process at a time makes a backup. @returns undefined if another process is making one */
export async function inBackupTurn<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    BACKUP_LOCK,
  ])
  if (!rows[0]?.taken) return undefined
  try {
    return await work()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [BACKUP_LOCK]).catch(() => undefined)
  }
}

/** Only one process at a time archives log; others wait. */
export async function inArchiveTurn<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('select pg_advisory_lock($1)', [WAL_LOCK])
  try {
    return await work()
  } finally {
    await client.query('select pg_advisory_unlock($1)', [WAL_LOCK]).catch(() => undefined)
  }
}

async function* counted(
  stream: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const piece of stream) {
    yield piece
    bytes += piece.length
    onBytes(bytes)
  }
}

type Database = Pick<BackupManifest, 'packs' | 'startLsn' | 'endLsn' | 'timeline'>

async function storeDatabase(work: Work, prefix: string): Promise<Database> {
  const { source, vault, signal, onProgress, packBytes, id } = work
  const backup = await startBaseBackup(source.administration('postgres'), `rapport ${id}`, signal)
  try {
    const { totalBytes, start } = backup
    const stream = counted(backup.stream, (bytes) => onProgress?.({ bytes, totalBytes }))
    const packs: Pack[] = await storePacks(vault, `${prefix}database/`, stream, packBytes)
    const end = await backup.end()
    return { packs, startLsn: formatLsn(start.lsn), endLsn: formatLsn(end), timeline: start.timeline }
  } finally {
    await backup.close()
  }
}

/** The current keys, a copy in case the archive of the chain is damaged. */
async function storeKeys({ client, source, vault, chain, id, log }: Work): Promise<string[]> {
  const place = { ...source.keySettings, dataDir: source.dataDir }
  const archive = createKeyArchive(vault, chain.id, place, log)
  await inArchiveTurn(client, () => archive.pass())
  const stored: string[] = []
  for (const { name, content } of await readKeyVersions(place)) {
    if (content === null) continue
    await vault.put(keyName({ chain: chain.id, id }, name), Buffer.from(content, 'base64'))
    stored.push(name)
  }
  return stored
}

export const deletedFilesName = (backup: Pick<BackupManifest, 'chain' | 'id'>) =>
  `${backupPrefix(backup)}gone-files`

async function storeFiles(work: Work): Promise<BackupManifest['files']> {
  const { client, source, vault, chain, archive, signal, id } = work
  if (!source.hasFiles) return null
  const startedAt = await databaseTime(client)
  const { files, bytes, deleted } = await syncFiles(vault, chain.id, filesFolder(source.dataDir), signal)
  archive.noteFiles(startedAt)
  // The files that retention may delete once this backup is the oldest.
  await vault.put(deletedFilesName({ chain: chain.id, id }), Buffer.from(JSON.stringify(deleted)))
  return { files, bytes }
}

async function storeAll(work: Work): Promise<BackupManifest> {
  const { client, vault, chain, archive, signal, id } = work
  const prefix = backupPrefix({ chain: chain.id, id })
  const { now, ...facts } = await selectSourceFacts(client)
  const database = await storeDatabase(work, prefix)
  const endedAt = await databaseTime(client)
  const keys = await storeKeys(work)
  const files = await storeFiles(work)
  const head = await inArchiveTurn(client, () => archive.pass(client, signal))
  if (parseLsn(head.lsn) < parseLsn(database.endLsn))
    throw new BackupError('The write-ahead log of the backup is not on the disk yet: try again')
  signal.throwIfAborted()
  const manifest: BackupManifest = {
    ...{ format: 1, id, chain: chain.id, startedAt: now.toISOString(), endedAt: endedAt.toISOString() },
    ...{ ...facts, ...database, isEncrypted: vault.isEncrypted, files, keys, hasKeyArchive: true },
  }
  await putManifest(vault, manifest)
  return manifest
}

/**
 * Makes a backup in its turn (`inBackupTurn`). A failed or stopped backup leaves nothing that looks like a backup.
 * @param archive the archive of the chain, if the caller has it
 */
export async function createBackup(
  options: BackupOptions,
  client: pg.Client,
  chain: Chain,
  archive: WalArchive = createWalArchive(options.vault, chain, clusterOf(options.source.dataDir)),
): Promise<BackupManifest> {
  const id = newChainId(await databaseTime(client))
  try {
    return await storeAll({ ...options, client, chain, archive, id })
  } catch (error) {
    await options.vault.store.deleteAll(backupPrefix({ chain: chain.id, id })).catch(() => undefined)
    if (options.signal.aborted) throw options.signal.reason
    throw error
  }
}
