// The parts of a backup. The manifest is written last: without a manifest there is no backup.
import { hash } from 'node:crypto'
import { isChainId } from './chain.ts'
import { BackupError, type ObjectStore } from './object-store.ts'
import type { Pack } from './packs.ts'
import type { Vault } from './vault.ts'

export interface BackupManifest {
  format: 1
  id: string
  chain: string
  startedAt: string
  /** By the database's clock. The backup can be restored to any time from this one to the end of the log. */
  endedAt: string
  /** Version of PostgreSQL, such as 18.6. */
  postgres: string
  /** The name of the last migration. */
  schema: string | null
  startLsn: string
  endLsn: string
  timeline: number
  segmentBytes: number
  isEncrypted: boolean
  /** The objects of the database in the store. */
  packs: Pack[]
  /** Files on the disk; null: they are in a bucket. */
  files: { files: number; bytes: number } | null
  /** Names of the key files of DATA_DIR that are stored with the backup. */
  keys: string[]
  /** Whether the chain has an archive of key files (key-archive.ts); earlier versions made none. */
  hasKeyArchive?: true
  /** Authenticates all fields before it by the key of the backup: without the key, nothing can be left out. */
  mac?: string
  /** A checksum without a key: detects damage, but not manipulation. */
  checksum?: string
}

export const backupPrefix = ({ chain, id }: Pick<BackupManifest, 'chain' | 'id'>) => `${chain}/backups/${id}/`

export const keyName = (backup: Pick<BackupManifest, 'chain' | 'id'>, name: string) =>
  `${backupPrefix(backup)}keys/${name}`

const manifestName = (backup: Pick<BackupManifest, 'chain' | 'id'>) => `${backupPrefix(backup)}manifest.json`

/** The result of the last `rapport backup verify`. */
export const verifiedName = (backup: Pick<BackupManifest, 'chain' | 'id'>) =>
  `${backupPrefix(backup)}verified.json`

export const bytesOf = ({ packs }: Pick<BackupManifest, 'packs'>): number =>
  packs.reduce((total, { bytes }) => total + bytes, 0)

const signedText = ({ mac: _, checksum: __, ...signed }: BackupManifest) => JSON.stringify(signed)

export async function putManifest({ store, signer }: Vault, manifest: BackupManifest): Promise<void> {
  const signed = signedText(manifest)
  const proof = signer ? { mac: signer.sign(signed) } : { checksum: hash('sha256', signed) }
  const text = JSON.stringify({ ...manifest, mac: undefined, checksum: undefined, ...proof }, null, 1)
  await store.put(manifestName(manifest), Buffer.from(`${text}\n`))
}

/**
 * @throws BackupError if there is a key and the manifest was not written with it, or if the backup is encrypted and
 * there is no key
 */
export function requireAuthentic({ signer }: Pick<Vault, 'signer'>, manifest: BackupManifest): void {
  const { id, mac, isEncrypted } = manifest
  if (!signer && isEncrypted)
    throw new BackupError(
      `The backup ${id} is encrypted, and BACKUP_KEY is not set: set it to the key that the backup was made with`,
    )
  if (!signer) return
  if (mac === undefined)
    throw new BackupError(
      `The manifest of the backup ${id} has no MAC: it was changed, or made without BACKUP_KEY or by an earlier version. If you trust it, use rapport restore --unauthenticated`,
    )
  if (!signer.isSigned(signedText(manifest), mac))
    throw new BackupError(
      `The manifest of the backup ${id} was changed, or was not encrypted with this BACKUP_KEY: check the key, or use another backup`,
    )
}

type BackupName = Pick<BackupManifest, 'chain' | 'id'>

export interface ListedBackups {
  /** Complete backups of all chains, oldest first. */
  backups: BackupManifest[]
  /** Backups that were begun and not completed, or are being made. */
  unfinished: BackupName[]
  /** Backups whose manifest cannot be read or belongs to another backup. */
  damaged: BackupName[]
}

/** @returns undefined if it is not the manifest of this backup */
function parseManifest(text: Buffer, { chain, id }: BackupName): BackupManifest | undefined {
  try {
    const manifest: BackupManifest = JSON.parse(text.toString())
    const { checksum } = manifest
    const isWhole = checksum === undefined || checksum === hash('sha256', signedText(manifest))
    return isWhole && manifest.chain === chain && manifest.id === id ? manifest : undefined
  } catch {
    return undefined
  }
}

async function addBackup(store: ObjectStore, name: BackupName, listed: ListedBackups): Promise<void> {
  const text = await store.get(manifestName(name))
  const manifest = text && parseManifest(text, name)
  if (manifest) listed.backups.push(manifest)
  else listed[text ? 'damaged' : 'unfinished'].push(name)
}

export async function listBackups(store: ObjectStore): Promise<ListedBackups> {
  const listed: ListedBackups = { backups: [], unfinished: [], damaged: [] }
  // A disk may contain other folders, such as lost+found.
  for (const chain of (await store.folders('')).filter(isChainId).sort())
    for (const id of await store.folders(`${chain}/backups/`)) await addBackup(store, { chain, id }, listed)
  listed.backups.sort((one, other) => one.endedAt.localeCompare(other.endedAt))
  return listed
}
