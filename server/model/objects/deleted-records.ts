// Deleted records, as passed to the hooks of a deletion.
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'

export interface DeletedRecords {
  ids: readonly string[]
  /** Whether the records are deleted permanently instead of being kept in the trash. */
  isPermanent: boolean
  /** For a merge, the record of the same object that takes over the data of the deleted records. */
  successor?: { obj: number; id: string; merge: string } | undefined
}

export interface DeletionHooks {
  /** Called in order, in the transaction that deletes records, before their rows are deleted. */
  beforeDeletion: readonly ((tx: Db, author: Author, records: DeletedRecords) => Promise<unknown>)[]
}
