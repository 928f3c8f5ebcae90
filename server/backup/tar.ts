// Unpacks the archives that PostgreSQL's BASE_BACKUP writes: files and folders.
import { once } from 'node:events'
import { extract } from 'tar'
import { errorCode } from '../db/error-code.ts'
import { BackupError } from './object-store.ts'

const KINDS = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory'])

/** An archive that names files elsewhere, or links, which could lead there, is not one of PostgreSQL's. */
function isInside(path: string, entry: object): true {
  const type = 'type' in entry ? String(entry.type) : ''
  if (!KINDS.has(type))
    throw new BackupError(
      `The archive of the database has an entry of an unknown kind, ${path}: make the backup again`,
    )
  if (path.startsWith('/') || path.split('/').includes('..'))
    throw new BackupError(
      `The archive of the database names a file outside its folder, ${path}: make the backup again`,
    )
  return true
}

async function unpack(stream: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const unpacking = extract({ cwd: folder, strict: true, preserveOwner: false, filter: isInside })
  const ended = once(unpacking, 'close')
  ended.catch(() => undefined)
  for await (const chunk of stream)
    if (!unpacking.write(chunk)) await Promise.race([once(unpacking, 'drain'), ended])
  unpacking.end()
  await ended
}

/** @throws BackupError when the archive is damaged or cut off */
export async function extractTar(stream: AsyncIterable<Buffer>, folder: string): Promise<void> {
  try {
    await unpack(stream, folder)
  } catch (error) {
    if (!errorCode(error)?.startsWith('TAR_')) throw error
    throw new BackupError(
      `The archive of the database is damaged (${(error as Error).message}): make the backup again`,
    )
  }
}
