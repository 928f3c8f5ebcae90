// What restorations use of the service.
import type { ModelContext } from '../../attributes/models.ts'
import type { BaseContext } from '../../base-context.ts'
import type { Author } from '../../caller.ts'
import type { Db } from '../../db/pool.ts'
import type { Losses } from './losses.ts'

export interface RestoredRecords {
  obj: number
  objectId: string
  ids: readonly string[]
  /** Collects what cannot be restored. */
  losses: Losses
}

export interface TrashContext extends BaseContext, ModelContext {
  hooks: {
    /** What other folders do in the transaction of a restoration, in order. */
    afterRestore: readonly ((tx: Db, author: Author, records: RestoredRecords) => Promise<unknown>)[]
  }
}
