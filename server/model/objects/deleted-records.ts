// Records that are deleted, as what belongs to them sees it.
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'

export interface DeletedRecords {
  ids: readonly string[]
  /** Whether they are deleted for good, instead of being kept in the trash. */
  isPermanent: boolean
  /** The record of the same object that takes over what they had, where they are merged into it. */
  successor?: { obj: number; id: string; merge: string } | undefined
}

export interface DeletionHooks {
  /** Called in order, in the transaction that deletes records, before their rows are deleted. */
  beforeDeletion: readonly ((tx: Db, author: Author, records: DeletedRecords) => Promise<unknown>)[]
}
