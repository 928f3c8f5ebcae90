// The parts of the service that merging and undoing a merge use.
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import type { TrashContext } from '../trash/context.ts'
import type { Losses } from '../trash/losses.ts'
import type { RecordWriteContext } from '../write/context.ts'

/** A merge that is undone, after its losers were restored. */
export interface UndoneMerge {
  merge: string
  obj: number
  winner: string
  losers: ReadonlySet<string>
  /** The losers that exist again as records. */
  back: ReadonlySet<string>
  /** Collects the losses: values and rows that stay with the winner. */
  losses: Losses
}

interface MergeHooks {
  /** Return rows that the merge took from the losers, in order, in the transaction that undoes it. */
  afterUnmerge: readonly ((tx: Db, author: Author, merge: UndoneMerge) => Promise<unknown>)[]
}

export interface MergeContext extends RecordWriteContext, TrashContext {
  hooks: RecordWriteContext['hooks'] & TrashContext['hooks'] & MergeHooks
}
