// Restores a backup into a new data folder: unpacks the database, lets PostgreSQL replay the archived log up to the
// wanted time, and restores files and keys. The folder gets its final form only when all of this is done.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { rapportCommand } from '../../base/command-name.ts'
import { freeText, isNoSpace } from '../../base/no-space.ts'
import { otherOwner } from '../../base/ownership.ts'
import { sizeText } from '../../base/size-text.ts'
import { ANY_TIME, DATABASE_NAME, withClient } from '../../db/database.ts'
import { giveTo } from '../../db/embedded/cluster.ts'
import type { Settings } from '../../db/embedded/settings.ts'
import { type EmbeddedServer, startEmbedded } from '../../db/embedded.ts'
import type { KeySettings } from '../../secrets/key-files.ts'
import { reachedBy } from './gaps.ts'
import { type BackupManifest, bytesOf, requireAuthentic } from './manifest.ts'
import { BackupError } from './object-store.ts'
import { readPacks } from './packs.ts'
import { afterRecovery, type Recovered } from './recovered.ts'
import { abandonRestore, beginRestore, completeRestore, finishMove, requireEmpty } from './restore-folder.ts'
import { restoreLog } from './restore-wal.ts'
import { type FoundKeys, findKeys, replaceKeys, writeKeys } from './restored-keys.ts'
import { clusterOf, filesFolder } from './source.ts'
import { extractTar } from './tar.ts'
import type { Vault } from './vault.ts'
import { type ArchiveHead, readHead } from './wal-archive.ts'

export interface RestoreOptions {
  vault: Vault
  backup: BackupManifest
  /** A folder that is empty or does not exist. */
  dataDir: string
  /** The wanted time; undefined: the end of the log. */
  to: Date | undefined
  /** Accept a manifest that was not written with the key. */
  isUnauthenticated?: boolean | undefined
  /** Restore although key files are missing. */
  isIncomplete?: boolean | undefined
  /** Settings that replace key files where the command runs. */
  keySettings: KeySettings
  /** As given to the command; undefined: BACKUP_URL. */
  from?: string | undefined
  signal: AbortSignal
  onProgress?: (progress: { bytes: number; totalBytes: number }) => void
  onNotice?: (line: string) => void
  /** Settings of PostgreSQL during recovery. */
  settings?: Settings
}

export interface RestoredBackup extends Recovered {
  backup: string
  dataDir: string
  /** False if the log ended before the wanted time, or, without one, before the end of the archive. */
  reached: boolean
  /** Why the time was not reached; empty: it was. */
  gaps: string[]
  /** The last time that could be reached: everything committed before it is restored. */
  until: string
  /** The archive contains everything committed before this time; null if that is not recorded. */
  archivedUntil: string | null
  /** Unreadable parts of the log, also after the wanted time. */
  logProblem: string | null
  /** The missing key files. */
  keyGaps: readonly string[]
}

type CommandOptions = Pick<RestoreOptions, 'backup' | 'to' | 'from' | 'isUnauthenticated' | 'isIncomplete'>

const RECOVERY_TIMEOUT_MS = 24 * 3600_000
const ENDED_BEFORE = /recovery ended before configured recovery target was reached/

async function* watched(options: RestoreOptions): AsyncGenerator<Buffer> {
  const { vault, backup, signal, onProgress } = options
  let done = 0
  for (const pack of backup.packs) {
    signal.throwIfAborted()
    yield* readPacks(vault, [pack])
    done += pack.bytes
    onProgress?.({ bytes: done, totalBytes: bytesOf(backup) })
  }
}

/** Unpacks the database and its log. The base backup is consistent only after its end, so recovery needs the log. */
async function unpack(
  options: RestoreOptions,
  folder: string,
  head: ArchiveHead | undefined,
): Promise<readonly string[]> {
  const { vault, backup, signal } = options
  const cluster = clusterOf(folder)
  await mkdir(cluster, { recursive: true, mode: 0o700 })
  await extractTar(watched(options), cluster)
  const { problems } = await restoreLog(vault, backup, { cluster, head, signal })
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 })
  return problems
}

/** With an offset, because the server reads this setting before it knows abbreviations such as Z. */
const postgresTime = (time: Date) => time.toISOString().replace('Z', '+00')

const recoverySettings = (to: Date | undefined): Settings => ({
  // All of the log is in place; nothing is fetched.
  restore_command: 'false',
  recovery_target_timeline: 'current',
  ...(to && { recovery_target_time: postgresTime(to), recovery_target_action: 'promote' }),
  // No connection is accepted before promotion.
  hot_standby: 'off',
})

/** @returns whether the wanted time was reached, and the server, which then accepts connections */
async function recover(
  { to, onNotice, settings }: RestoreOptions,
  folder: string,
): Promise<{ server: EmbeddedServer; reached: boolean }> {
  const start = (target: Date | undefined) =>
    startEmbedded({
      dataDir: folder,
      recoveryTimeoutMs: RECOVERY_TIMEOUT_MS,
      settings: { ...settings, ...recoverySettings(target) },
      ...(onNotice && { onNotice }),
    })
  if (to === undefined) return { server: await start(undefined), reached: true }
  try {
    return { server: await start(to), reached: true }
  } catch (error) {
    const log = error instanceof Error && 'log' in error ? String(error.log) : ''
    if (!ENDED_BEFORE.test(log)) throw error
    // No commit after that time is archived, so the end of the archive has the data of that time.
    return { server: await start(undefined), reached: false }
  }
}

/** @throws BackupError that names missing key files, unless the caller accepts that */
async function requireKeys(options: RestoreOptions): Promise<FoundKeys> {
  const keys = await findKeys(options)
  if (keys.gaps.length === 0 || options.isIncomplete) return keys
  throw new BackupError(
    `The backup ${options.backup.id} cannot be restored completely (${keys.gaps.join('; ')}): choose another backup, set the variable that replaces the key file, or restore what there is by rapport restore --incomplete`,
  )
}

/** If the restore runs as root, PostgreSQL runs as the owner of the new data folder. */
async function giveToOwner(folder: string): Promise<void> {
  const owner = otherOwner(folder)
  if (owner) await giveTo(clusterOf(folder), owner)
}

interface Outcome extends Pick<RestoredBackup, 'keyGaps'> {
  recovered: Recovered
  /** As PostgreSQL reports it, which does not notice that a time without a later commit was reached. */
  reached: boolean
  head: ArchiveHead | undefined
  problems: readonly string[]
}

function accountOf(
  { backup, to }: RestoreOptions,
  { recovered, reached, head, problems, keyGaps }: Outcome,
): Omit<RestoredBackup, 'dataDir'> {
  const { lastCommitAt, replayedTo } = recovered
  const lastSeen = lastCommitAt !== null && lastCommitAt > backup.endedAt ? lastCommitAt : backup.endedAt
  const isReached = to !== undefined && reached
  const { gaps, until } = reachedBy({ to, isReached, head, problems, replayedTo, lastSeen })
  return {
    ...recovered,
    ...{ backup: backup.id, reached: gaps.length === 0, gaps, until, archivedUntil: head?.at ?? null },
    ...{ logProblem: problems.join('; ') || null, keyGaps },
  }
}

async function restoreInto(
  options: RestoreOptions,
  keys: FoundKeys,
  folder: string,
): Promise<Omit<RestoredBackup, 'dataDir'>> {
  const { vault, backup, signal } = options
  // Read before the log, so that log which the archiver adds during the restore is not expected.
  const head = await readHead(vault, backup.chain)
  const problems = await unpack(options, folder, head)
  await writeKeys(keys, folder)
  await giveToOwner(folder)
  const { server, reached } = await recover(options, folder)
  const connection = { ...server.administration(DATABASE_NAME), ...ANY_TIME }
  const recovered = await withClient(connection, (client) =>
    afterRecovery({ vault, backup, filesAt: head?.filesAt, root: filesFolder(folder), client, signal }),
  ).finally(() => server.stop())
  // Again, in case PostgreSQL could not run as that account.
  await giveToOwner(folder)
  const account = accountOf(options, { recovered, reached, head, problems, keyGaps: keys.gaps })
  if (account.gaps.length === 0) return account
  const keyGaps = await replaceKeys(keys, { ...options, to: new Date(account.until) }, folder)
  return { ...account, keyGaps }
}

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** The command of this restore as an operator types it. It names the backup, because there may be a newer one later. */
function restoreCommand({ backup, to, from, ...flags }: CommandOptions, dataDir: string): string {
  const words = [
    ...['restore', ...(from === undefined ? [] : ['--from', from]), '--backup', backup.id],
    ...(to ? ['--to', to.toISOString()] : []),
    ...(flags.isUnauthenticated ? ['--unauthenticated'] : []),
    ...(flags.isIncomplete ? ['--incomplete'] : []),
    ...['--data-dir', dataDir],
  ]
  return [rapportCommand(), ...words.map(quoted)].join(' ')
}

/** To be called before the restored data is removed again: it reports the free space. */
function fullDisk(dataDir: string, { packs, files }: BackupManifest, cause: unknown): BackupError {
  const neededBytes = bytesOf({ packs }) + (files?.bytes ?? 0)
  return new BackupError(
    `The disk of ${dataDir} is full (${freeText(dataDir)}; the backup has ${sizeText(neededBytes)}, its log comes on top of that): free some space, or restore into a folder on a larger disk`,
    { cause },
  )
}

/** @throws BackupError, EmbeddedError; the folder is then empty */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const dataDir = resolve(options.dataDir)
  const command = restoreCommand(options, dataDir)
  const finished = await finishMove(dataDir, command)
  if (finished) return finished as RestoredBackup
  await requireEmpty(dataDir)
  if (!options.isUnauthenticated) requireAuthentic(options.vault, options.backup)
  const keys = await requireKeys(options)
  const folder = await beginRestore(dataDir, command)
  const restored = await restoreInto(options, keys, folder.path).catch(async (error: unknown) => {
    const full = isNoSpace(error) ? fullDisk(dataDir, options.backup, error) : undefined
    await abandonRestore(folder)
    throw options.signal.aborted ? options.signal.reason : (full ?? error)
  })
  await completeRestore(folder, dataDir, { command, restored: { ...restored, dataDir } })
  return { ...restored, dataDir }
}

interface WantedBackup {
  id?: string | undefined
  to?: Date | undefined
  /** Backups without a readable manifest. */
  unreadable?: readonly Pick<BackupManifest, 'id'>[]
}

/** Names unreadable backups: one of them may reach an earlier time. */
const unreadableText = (unreadable: readonly Pick<BackupManifest, 'id'>[]): string =>
  unreadable.length === 0
    ? ''
    : `. These have no readable manifest, and may be older: ${unreadable.map(({ id }) => id).join(', ')}`

/**
 * The backup to restore from.
 * @throws BackupError that lists the backups
 */
export function chooseBackup(
  backups: readonly BackupManifest[],
  { id, to, unreadable = [] }: WantedBackup,
): BackupManifest {
  const [oldest] = backups
  if (oldest === undefined) throw new BackupError('There is no complete backup: check BACKUP_URL')
  const chosen = id === undefined ? undefined : backups.find((one) => one.id === id)
  if (id !== undefined && chosen === undefined)
    throw new BackupError(`There is no backup ${id}: choose one of rapport backup list`)
  const time = to?.toISOString()
  if (chosen && time !== undefined && chosen.endedAt > time)
    throw new BackupError(
      `The backup ${chosen.id} ended at ${chosen.endedAt}, and cannot be restored to an earlier time: choose an older backup`,
    )
  const found = chosen ?? backups.findLast(({ endedAt }) => time === undefined || endedAt <= time)
  if (found) return found
  throw new BackupError(
    `The oldest backup ended at ${oldest.endedAt}, and nothing can be restored to an earlier time: choose a later one${unreadableText(unreadable)}`,
  )
}
