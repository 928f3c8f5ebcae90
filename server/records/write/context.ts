// What writes of records use of the service.
import type { ModelContext } from '../../attributes/models.ts'
import type { BaseContext } from '../../base-context.ts'
import type { DeletionHooks } from '../../objects/deleted-records.ts'
import type { RecordWrites } from './batches.ts'

export interface RecordWriteContext extends BaseContext, ModelContext {
  /** Inserts single records, several of them by one statement. */
  recordInserts: RecordWrites
  /** Changes single records, several of them by one statement. */
  recordUpdates: RecordWrites
  hooks: DeletionHooks
}
