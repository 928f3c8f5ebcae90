// One round of the archiver: stores the keys, and then the log that needs them.
import type pg from 'pg'
import { inArchiveTurn } from './create.ts'
import type { KeyArchive } from './key-archive.ts'
import type { ArchiveHead, WalArchive } from './wal-archive.ts'

interface Archives {
  keys: Pick<KeyArchive, 'pass'>
  archive: Pick<WalArchive, 'pass'>
}

interface Archived {
  /** How far the log is archived. */
  head: ArchiveHead
  keys: PromiseSettledResult<void>
}

/** A failure to archive keys does not stop the log: without the log, more would be lost. */
export const archiveChanges = (
  client: pg.Client,
  { keys, archive }: Archives,
  signal: AbortSignal,
): Promise<Archived> =>
  inArchiveTurn(client, async () => {
    const [stored] = await Promise.allSettled([keys.pass()])
    return { keys: stored, head: await archive.pass(client, signal) }
  })
