// What other folders do in the transactions that restore records and undo merges.
import type { Author } from '../caller.ts'
import type { Db } from '../db/pool.ts'
import type { DeletionHooks } from '../objects/deleted-records.ts'
import type { Losses } from './trash/losses.ts'

export interface RestoredRecords {
  obj: number
  objectId: string
  ids: readonly string[]
  /** Gets what cannot be given back. */
  losses: Losses
}

/** A merge that is undone, after its losers were restored. */
export interface UndoneMerge {
  merge: string
  obj: number
  winner: string
  losers: ReadonlySet<string>
  /** Those of them that are records again. */
  back: ReadonlySet<string>
  /** Gets what stays with the winner. */
  losses: Losses
}

/** Each list is called in order. */
export interface RecordHooks extends DeletionHooks {
  afterRestore: readonly ((tx: Db, author: Author, records: RestoredRecords) => Promise<unknown>)[]
  /** Gives back what the merge took from the losers. */
  afterUnmerge: readonly ((tx: Db, author: Author, merge: UndoneMerge) => Promise<unknown>)[]
}
