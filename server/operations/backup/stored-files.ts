// Files of records: each is stored once in a chain, since a file never changes. Its first piece is stored last, so a file
// that has one is complete.
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

/** A key is organization, bucket and file. */
const FOLDERS = 2

interface DiskFile {
  key: string
  bytes: number
}

/**
 * Files below the folder, in the order of their keys.
 * @param since only files of folders that changed after that time, and that changed then themselves
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

/** @returns false when the file was deleted meanwhile */
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

/** Keys of the files that the store has, in order. */
async function* filesInStore(vault: Vault, chainId: string): AsyncGenerator<string> {
  const prefix = filesPrefix(chainId)
  for await (const name of vault.store.list(prefix))
    if (name.endsWith('/0')) yield name.slice(prefix.length, -'/0'.length)
}

export interface SyncedFiles {
  /** On the disk. */
  files: number
  bytes: number
  /** Stored now. */
  added: number
  /** In the store, no longer on the disk. */
  deleted: string[]
}

/** Stores every file that the store lacks: both lists are read side by side. */
export async function syncFiles(
  vault: Vault,
  chainId: string,
  root: string,
  signal: AbortSignal,
): Promise<SyncedFiles> {
  const synced: SyncedFiles = { files: 0, bytes: 0, added: 0, deleted: [] }
  const stored = filesInStore(vault, chainId)
  let next = (await stored.next()).value
  for await (const { key, bytes } of filesOnDisk(root, 0)) {
    signal.throwIfAborted()
    for (; next !== undefined && next < key; next = (await stored.next()).value) synced.deleted.push(next)
    if (next === key) next = (await stored.next()).value
    else if (await storeFile(vault, chainId, root, key)) synced.added++
    synced.files++
    synced.bytes += bytes
  }
  for (; next !== undefined; next = (await stored.next()).value) synced.deleted.push(next)
  return synced
}

/** Stores files that appeared on the disk since then; the time of the disk's clock, in ms. @returns their number */
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

/** @returns the bytes that the store has of it, up to the first piece that is missing */
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
 * Puts one file back to the disk.
 * @returns false when the store has no complete file of this size, or a damaged one
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
  // A damaged file must not keep the database from being restored.
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
