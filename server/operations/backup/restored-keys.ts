// The key files of a restore, and which of them are missing. Without its keys, a restored installation looks complete
// but cannot decrypt its secrets.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inheritOwner } from '../../base/ownership.ts'
import { KEY_FILES, type KeyFile, type KeySettings, MADE_KEY_FILES } from '../../secrets/key-files.ts'
import { firstVersion, type KeyVersion, readKeyArchive, type StoredKeys, versionAt } from './key-archive.ts'
import { type BackupManifest, keyName, requireAuthentic } from './manifest.ts'
import { BackupError } from './object-store.ts'
import type { Vault } from './vault.ts'

export interface FoundKeys {
  /** Contents, by their names in DATA_DIR. */
  files: ReadonlyMap<string, Buffer>
  /** Missing key files, for the operator. */
  gaps: string[]
}

interface Search {
  vault: Vault
  backup: BackupManifest
  to: Date | undefined
  /** Settings where the command runs. */
  keySettings: KeySettings
}

type Found = { content: Buffer } | { gap: string } | undefined

const lost = (what: string, { loss }: KeyFile): Found => ({ gap: `${what}: without it ${loss}` })

async function readCopy({ vault, backup }: Search, key: KeyFile): Promise<Found> {
  const name = keyName(backup, key.name)
  try {
    const content = await vault.get(name)
    return content ? { content } : lost(`${name} is missing`, key)
  } catch (error) {
    if (error instanceof BackupError) return lost(error.message, key)
    throw error
  }
}

/** undefined: the restore does not need this key file. */
async function findKey(search: Search, key: KeyFile, versions: readonly KeyVersion[]): Promise<Found> {
  const { backup, to, keySettings } = search
  const reached = versionAt(versions, key.name, to)
  if (reached === undefined && backup.keys.includes(key.name)) return readCopy(search, key)
  const version = reached ?? firstVersion(versions, key.name)
  if (typeof version?.content === 'string') return { content: Buffer.from(version.content, 'base64') }
  // The base backup contains the other key files.
  if (key.isReplaced(keySettings) || !MADE_KEY_FILES.some(({ name }) => name === key.name)) return undefined
  return version
    ? lost(`${key.setting} is not set, which this installation used in place of the file ${key.name}`, key)
    : lost(`the key file ${key.name} is not in the backup`, key)
}

/** A manifest may be unauthenticated, so it must not name files outside the key files. */
function requireKnown({ keys }: BackupManifest): void {
  const unknown = keys.find((one) => !KEY_FILES.some(({ name }) => name === one))
  if (unknown !== undefined)
    throw new BackupError(
      `The backup names an unknown key file, ${unknown}: restore it with the version of Rapport that made it`,
    )
}

const readKeys = ({ vault, backup }: Pick<Search, 'vault' | 'backup'>) => readKeyArchive(vault, backup.chain)

/** @param stored the key archive, if it is already being read */
export async function findKeys(search: Search, stored?: Promise<StoredKeys>): Promise<FoundKeys> {
  const { backup } = search
  requireKnown(backup)
  const { versions, fault } = await (stored ?? readKeys(search))
  const files = new Map<string, Buffer>()
  const gaps =
    fault !== undefined && backup.hasKeyArchive
      ? [`${fault}: key files that were made or changed after the backup ${backup.id} are lost`]
      : []
  for (const key of KEY_FILES) {
    const found = await findKey(search, key, versions)
    if (found === undefined) continue
    if ('content' in found) files.set(key.name, found.content)
    else gaps.push(found.gap)
  }
  return { files, gaps }
}

type StoredKeysOf = (search: Pick<Search, 'vault' | 'backup'>) => Promise<StoredKeys>

async function findGaps(search: Omit<Search, 'to'>, stored: StoredKeysOf): Promise<string[]> {
  try {
    // With a wrong key, the archive of keys would seem to be damaged.
    if (search.backup.isEncrypted) requireAuthentic(search.vault, search.backup)
    return (await findKeys({ ...search, to: undefined }, stored(search))).gaps
  } catch (error) {
    if (error instanceof BackupError) return [error.message]
    throw error
  }
}

/** Reads the key archive of each chain at most once. */
function readOnce(): StoredKeysOf {
  const chains = new Map<string, Promise<StoredKeys>>()
  return (search) => {
    const { chain } = search.backup
    const stored = chains.get(chain) ?? readKeys(search)
    chains.set(chain, stored)
    return stored
  }
}

/**
 * What a restore to the end would lack; also why the keys cannot be opened with the key of the vault.
 * @returns a list for each backup, in their order
 */
export async function findKeyGaps({
  backups,
  ...search
}: Pick<Search, 'vault' | 'keySettings'> & { backups: readonly BackupManifest[] }): Promise<string[][]> {
  const stored = readOnce()
  const found: string[][] = []
  for (const backup of backups) found.push(await findGaps({ ...search, backup }, stored))
  return found
}

/** @param folder of the restored data, with its database */
export async function writeKeys({ files }: FoundKeys, folder: string): Promise<void> {
  for (const [name, content] of files) {
    const path = join(folder, name)
    await writeFile(path, content, { mode: 0o600, flush: true })
    inheritOwner(path)
  }
}

/**
 * Replaces key files after a restore with a gap: the restored data was encrypted with the keys of the time it reaches.
 * If these cannot be read, the written key files and the database are kept.
 * @param search for the keys of that time
 * @returns the missing key files
 */
export async function replaceKeys(written: FoundKeys, search: Search, folder: string): Promise<string[]> {
  const found = await findKeys(search).catch((error: Error) => error)
  if (found instanceof Error)
    return [
      ...written.gaps,
      `the key files of ${search.to?.toISOString()} could not be read (${found.message}): if one was changed after that, what it encrypted before cannot be decrypted`,
    ]
  await writeKeys(found, folder)
  const later = [...written.files.keys()].filter((name) => !found.files.has(name))
  return [...found.gaps, ...later.map((name) => `the restored ${name} may be of a later time`)]
}
