// Unpacks the archives that PostgreSQL's BASE_BACKUP writes: files and folders.
import { once } from 'node:events'
import { extract } from 'tar'
import { errorCode } from '../../base/error-code.ts'
import { BackupError } from './object-store.ts'

const KINDS = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory'])

/** The error for an entry outside the folder, or a link, which could lead outside: PostgreSQL writes neither. */
function refusalOf(path: string, entry: object): BackupError | undefined {
  const type = 'type' in entry ? String(entry.type) : ''
  if (!KINDS.has(type))
    return new BackupError(
      `The archive of the database has an entry of an unknown kind, ${path}: make the backup again`,
    )
  if (path.startsWith('/') || path.split('/').includes('..'))
    return new BackupError(
      `The archive of the database names a file outside its folder, ${path}: make the backup again`,
    )
  return undefined
}

function startUnpacking(folder: string) {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => undefined)
  const filter = (path: string, entry: object) => {
    const refusal = refusalOf(path, entry)
    if (refusal) fail(refusal)
    return refusal === undefined
  }
  const unpacking = extract({ cwd: folder, strict: true, preserveOwner: false, filter })
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  // Each entry that cannot be written emits an error. The first error counts.
  unpacking.on('error', (error: Error) => {
    fail(error)
    // Without its folder, the unpacker writes nothing and does not end.
    if (error.name === 'CwdError') close()
  })
  unpacking.on('close', close).on('abort', close)
  return { unpacking, failed, closed }
}

/** Settles only when nothing is written any more, also after a failure: the folder may then be removed. */
async function unpack(stream: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const { unpacking, failed, closed } = startUnpacking(folder)
  try {
    for await (const chunk of stream)
      await Promise.race([failed, unpacking.write(chunk) || once(unpacking, 'drain')])
    unpacking.end()
    await Promise.race([failed, closed])
  } catch (error) {
    unpacking.end()
    await closed
    throw error
  }
}

/** @throws BackupError if the archive is damaged or cut off */
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
