// Key files over time, in one object of the chain. A restore to any time gets the keys of that time, also keys that
// were made or changed after the backup.
import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { errorCode } from '../../base/error-code.ts'
import { KEY_FILES, type KeyFile, type KeyPlace } from '../../secrets/key-files.ts'
import type { Vault } from './vault.ts'

export interface KeyVersion {
  name: string
  /** When the file was made or changed, or its setting was first seen. */
  at: string
  /** In base64; null: a setting replaces the file. */
  content: string | null
}

interface Stored {
  /** The id of its chain, by which an object that was copied from another chain is recognized. */
  chain: string
  versions: KeyVersion[]
}

const nameOf = (chain: string) => `${chain}/keys`

async function readFileVersion({ name, isValid }: KeyFile, dataDir: string): Promise<KeyVersion | undefined> {
  try {
    const path = join(dataDir, name)
    const { ctime } = await stat(path)
    const content = await readFile(path)
    // Keep the last valid version, not the damaged content.
    if (!isValid(content.toString().trim())) return undefined
    return { name, at: ctime.toISOString(), content: content.toString('base64') }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The current key files. A file that is missing or contains no key is left out. */
export async function readKeyVersions(place: KeyPlace): Promise<KeyVersion[]> {
  const found: KeyVersion[] = []
  for (const key of KEY_FILES) {
    const version = key.isReplaced(place)
      ? { name: key.name, at: new Date().toISOString(), content: null }
      : await readFileVersion(key, place.dataDir)
    if (version) found.push(version)
  }
  return found
}

/** The versions that differ from the last known ones. */
export const newVersions = (known: readonly KeyVersion[], current: readonly KeyVersion[]): KeyVersion[] =>
  current.filter(
    ({ name, content }) => known.findLast((version) => version.name === name)?.content !== content,
  )

/** The version of a key file at a time; undefined: the archive began later, or does not have the file. */
export const versionAt = (
  versions: readonly KeyVersion[],
  name: string,
  time: Date | undefined,
): KeyVersion | undefined =>
  versions.findLast(
    (version) => version.name === name && (time === undefined || version.at <= time.toISOString()),
  )

/** For a time before the archive, if the file is found nowhere else: nothing older was encrypted with its key. */
export const firstVersion = (versions: readonly KeyVersion[], name: string): KeyVersion | undefined =>
  versions.find((version) => version.name === name)

export interface StoredKeys {
  versions: KeyVersion[]
  /** Why there are no versions; undefined: the archive is complete. */
  fault: string | undefined
}

function parse(bytes: Buffer, chain: string): KeyVersion[] | undefined {
  try {
    const stored: Stored = JSON.parse(bytes.toString())
    return stored.chain === chain ? stored.versions : undefined
  } catch {
    return undefined
  }
}

export async function readKeyArchive(vault: Vault, chain: string): Promise<StoredKeys> {
  const name = nameOf(chain)
  const found = await vault.getTorn(name)
  if (found === undefined) return { versions: [], fault: `${name} is missing` }
  const versions = found.isTorn ? undefined : parse(found.bytes, chain)
  return versions
    ? { versions, fault: undefined }
    : { versions: [], fault: `${name} is damaged or of another chain` }
}

export interface KeyArchive {
  /** Runs in the turn of the archive (`inArchiveTurn`). Stores changes since the last pass of any process. */
  pass(): Promise<void>
  /** The next pass reads the archive, and stores it again if it is missing or damaged. */
  lookAgain(): void
}

/** Keeps an unreadable archive under another name: it may be complete, but encrypted with another key. */
async function setAside({ store }: Vault, name: string, log: Logger): Promise<void> {
  const bytes = await store.get(name)
  if (bytes === undefined) return
  const keptAs = `${name}.damaged-${hash('sha256', bytes).slice(0, 8)}`
  await store.put(keptAs, bytes)
  log.error(
    { name, keptAs },
    'the archive of key files cannot be read with this BACKUP_KEY: it is kept under another name, and a new one begins',
  )
}

export function createKeyArchive(vault: Vault, chain: string, place: KeyPlace, log: Logger): KeyArchive {
  const name = nameOf(chain)
  let known: readonly KeyVersion[] | undefined
  let isLooked = false
  return {
    lookAgain() {
      isLooked = false
    },
    async pass() {
      const current = await readKeyVersions(place)
      if (isLooked && known && newVersions(known, current).length === 0) return
      const { versions: stored, fault } = await readKeyArchive(vault, chain)
      if (fault !== undefined) await setAside(vault, name, log)
      const before = fault === undefined ? stored : (known ?? [])
      const added = newVersions(before, current)
      const content: Stored = { chain, versions: [...before, ...added] }
      const isLost = fault !== undefined && content.versions.length > 0
      if (added.length > 0 || isLost) await vault.put(name, Buffer.from(JSON.stringify(content)))
      known = content.versions
      isLooked = true
    },
  }
}
