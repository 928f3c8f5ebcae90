// Files and folders that root makes in the folder of another account get the owner of that folder. Otherwise the
// service, which runs as that account, could not read or replace them.
import { lchownSync, statSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './error-code.ts'

export interface Owner {
  uid: number
  gid: number
}

/** The owner of a folder, if this process is root and the owner is not; otherwise undefined. */
export function otherOwner(folder: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(folder)
  return uid === 0 ? undefined : { uid, gid }
}

/** Errors of file systems without owners, and of those that map root to another account. */
const WITHOUT_OWNERS = ['EPERM', 'ENOTSUP', 'EINVAL', 'ENOSYS']

/** Gives a new file or folder to the owner of its parent folder. */
export function inheritOwner(path: string): void {
  const owner = otherOwner(dirname(path))
  if (owner === undefined) return
  try {
    lchownSync(path, owner.uid, owner.gid)
  } catch (error) {
    if (!WITHOUT_OWNERS.includes(errorCode(error) ?? '')) throw error
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Makes the folder and its missing parents, and syncs them so that they survive a power failure. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  const made: string[] = []
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) made.unshift(folder)
  for (const folder of made) {
    inheritOwner(folder)
    await syncFolder(dirname(folder))
  }
}
