// The folder of the copy that the service verifies: the whole database, decrypted, in a place that other accounts use.
import { lstat, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import { BackupError } from './object-store.ts'

const folderOf = (verifyDir: string, chain: string) => join(verifyDir, `rapport-verify-${chain}`)

const ownedByAnother = (folder: string) =>
  new BackupError(
    `${folder} belongs to another account: remove it, or set BACKUP_VERIFY_DIR to a folder that only the service uses`,
  )

/** Fails without the folder: made in place of an unmounted disk, it would fill the disk below. @throws BackupError */
export async function requireWorkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((cause: unknown) => {
    throw new BackupError(
      `The folder ${folder} for copies that are verified cannot be used (${(cause as Error).message}): make it or mount its disk, or choose another one by BACKUP_VERIFY_DIR, or by --work-dir of rapport backup verify`,
      { cause },
    )
  })
  if (!found.isDirectory())
    throw new BackupError(`${folder} is not a folder: set BACKUP_VERIFY_DIR or --work-dir to one`)
}

/**
 * Removes the copy of a killed process.
 * @param uid of this process
 * @throws BackupError if another account has made the folder
 */
export async function removeCopy(verifyDir: string, chain: string, uid = process.getuid?.()): Promise<void> {
  const folder = folderOf(verifyDir, chain)
  try {
    if ((await lstat(folder)).uid !== uid) throw ownedByAnother(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Runs `work` in a new folder that no other account can read. */
export async function inCopyFolder<Result>(
  verifyDir: string,
  chain: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await removeCopy(verifyDir, chain)
  const folder = folderOf(verifyDir, chain)
  await mkdir(folder, { mode: 0o700 })
  return work(folder).finally(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
}
