// Files of records. Each is stored once in a chain, because a file never changes. Its first piece is stored last, so that
// a file with all its pieces is complete.
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import { inheritOwner, makeFolder } from '../../base/ownership.ts'
import { DRAFTS } from '../../files/disk/draft.ts'
import { BackupError } from './object-store.ts'
import { PACK_BYTES, piecesOf } from './packs.ts'
import type { Vault } from './vault.ts'

const filesPrefix = (chainId: string) => `${chainId}/files/`
const pieceName = (chainId: string, key: string, piece: number | '') =>
  `${filesPrefix(chainId)}${key}/${piece}`

const ifThere = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })

/** The folders in a key, which is organization, bucket and file. */
const FOLDERS = 2

interface DiskFile {
  key: string
  bytes: number
}

/**
 * Files below the folder, in the order of their keys.
 * @param since only files that changed after that time, in folders that changed after it too
 */
async function* filesOnDisk(root: string, since: number, prefix = ''): AsyncGenerator<DiskFile> {
  const folder = await ifThere(stat(join(root, prefix)))
  const isLeaf = prefix.split('/').length > FOLDERS
  if (folder === undefined || (isLeaf && folder.ctimeMs < since)) return
  const entries = (await ifThere(readdir(join(root, prefix), { withFileTypes: true }))) ?? []
  const names = entries
    .filter(({ name }) => !(prefix === '' && name === DRAFTS))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort()
  for (const name of names)
    if (name.endsWith('/')) yield* filesOnDisk(root, since, `${prefix}${name}`)
    else {
      const found = await ifThere(stat(join(root, prefix, name)))
      if (found && found.ctimeMs >= since) yield { key: `${prefix}${name}`, bytes: found.size }
    }
}

/** @returns false if the file was deleted in between */
async function storeFile(vault: Vault, chainId: string, root: string, key: string): Promise<boolean> {
  let [first, piece] = [Buffer.alloc(0), 0]
  try {
    for await (const bytes of piecesOf(createReadStream(join(root, key)), PACK_BYTES)) {
      if (piece === 0) first = Buffer.from(bytes)
      else await vault.put(pieceName(chainId, key, piece), bytes)
      piece++
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
  await vault.put(pieceName(chainId, key, 0), first)
  return true
}

interface StoredFile {
  key: string
  /** How many of its pieces are there. */
  pieces: number
}

/** The files in the store, in the order of their keys. */
async function* filesInStore(vault: Vault, chainId: string): AsyncGenerator<StoredFile> {
  const prefix = filesPrefix(chainId)
  let file: StoredFile | undefined
  for await (const name of vault.store.list(prefix)) {
    const key = name.slice(prefix.length, name.lastIndexOf('/'))
    if (file && file.key !== key) yield file
    file = { key, pieces: file?.key === key ? file.pieces + 1 : 1 }
  }
  if (file) yield file
}

/** An empty file has one piece. */
const isComplete = ({ pieces }: StoredFile, { bytes }: DiskFile) =>
  pieces >= Math.max(1, Math.ceil(bytes / PACK_BYTES))

export interface SyncedFiles {
  files: number
  bytes: number
  /** Files that this call stored. */
  added: number
  /** Keys of files that are in the store, but no longer on the disk. */
  deleted: string[]
}

/** Stores every file of which the store lacks a piece. Both lists are sorted and read in parallel. */
export async function syncFiles(
  vault: Vault,
  chainId: string,
  root: string,
  signal: AbortSignal,
): Promise<SyncedFiles> {
  const synced: SyncedFiles = { files: 0, bytes: 0, added: 0, deleted: [] }
  const stored = filesInStore(vault, chainId)
  const nextStored = async (): Promise<StoredFile | undefined> => (await stored.next()).value
  let next = await nextStored()
  for await (const file of filesOnDisk(root, 0)) {
    signal.throwIfAborted()
    for (; next && next.key < file.key; next = await nextStored()) synced.deleted.push(next.key)
    const found = next?.key === file.key ? next : undefined
    if (found) next = await nextStored()
    if (!(found && isComplete(found, file)) && (await storeFile(vault, chainId, root, file.key)))
      synced.added++
    synced.files++
    synced.bytes += file.bytes
  }
  for (; next; next = await nextStored()) synced.deleted.push(next.key)
  return synced
}

/** Stores files that appeared on the disk since a time of the disk's clock, in ms. @returns their number */
export async function addRecentFiles(
  vault: Vault,
  chainId: string,
  root: string,
  { since, signal }: { since: number; signal: AbortSignal },
): Promise<number> {
  let added = 0
  for await (const { key } of filesOnDisk(root, since)) {
    signal.throwIfAborted()
    if (await storeFile(vault, chainId, root, key)) added++
  }
  return added
}

export async function deleteStoredFiles(
  { store }: Vault,
  chainId: string,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) await store.deleteAll(`${filesPrefix(chainId)}${key}/`)
}

/** @returns the bytes of the stored pieces, up to the first missing piece */
async function writePieces(vault: Vault, prefix: string, draft: string, size: number): Promise<number> {
  const file = await open(draft, 'w', 0o600)
  inheritOwner(draft)
  let written = 0
  try {
    for (let piece = 0; piece === 0 || written < size; piece++) {
      const bytes = await vault.get(`${prefix}${piece}`)
      if (bytes === undefined) break
      await file.writeFile(bytes)
      written += bytes.length
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return written
}

/**
 * Writes one file back to the disk.
 * @returns false if the store has no complete file of this size, or the file is damaged
 */
export async function restoreFile(
  vault: Vault,
  chainId: string,
  root: string,
  { key, bytes: size }: DiskFile,
): Promise<boolean> {
  const path = join(root, key)
  const draft = `${path}.restoring`
  await makeFolder(dirname(path))
  // A damaged file must not prevent the restore of the database.
  const written = await writePieces(vault, pieceName(chainId, key, ''), draft, size).catch(
    (error: unknown) => {
      if (error instanceof BackupError) return undefined
      throw error
    },
  )
  if (written === size) await rename(draft, path)
  else await rm(draft, { force: true })
  return written === size
}
