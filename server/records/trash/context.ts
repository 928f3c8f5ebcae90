// The parts of the service that restorations use.

import type { Author } from '../../base/caller.ts'
import type { BaseContext } from '../../db/base-context.ts'
import type { Db } from '../../db/pool.ts'
import type { ModelContext } from '../../model/attributes/models.ts'
import type { Losses } from './losses.ts'

export interface RestoredRecords {
  obj: number
  objectId: string
  ids: readonly string[]
  /** Collects values and references that cannot be restored. */
  losses: Losses
}

export interface TrashContext extends BaseContext, ModelContext {
  hooks: {
    /** Further work in the transaction of a restoration, in order. */
    afterRestore: readonly ((tx: Db, author: Author, records: RestoredRecords) => Promise<unknown>)[]
  }
}
