// What root makes in the folder of another account gets the owner of that folder: a command that root runs must leave
// nothing that the service, which runs as that account, cannot read or replace.
import { lchownSync, statSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './error-code.ts'

export interface Owner {
  uid: number
  gid: number
}

/** The account other than root that a folder belongs to, where this process is root. */
export function otherOwner(folder: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(folder)
  return uid === 0 ? undefined : { uid, gid }
}

/** File systems without owners, and those that take root for another account. */
const WITHOUT_OWNERS = ['EPERM', 'ENOTSUP', 'EINVAL', 'ENOSYS']

/** Gives a file or folder that was just made to the owner of the folder that it is in. */
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

/** Makes the folder and those above it that are missing; they survive a loss of power. */
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
