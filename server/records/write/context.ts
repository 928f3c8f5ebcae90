// The parts of the service that record writes use.

import type { BaseContext } from '../../db/base-context.ts'
import type { ModelContext } from '../../model/attributes/models.ts'
import type { DeletionHooks } from '../../model/objects/deleted-records.ts'
import type { RecordWrites } from './batches.ts'

export interface RecordWriteContext extends BaseContext, ModelContext {
  /** Inserts single records, several of them by one statement. */
  recordInserts: RecordWrites
  /** Changes single records, several of them by one statement. */
  recordUpdates: RecordWrites
  hooks: DeletionHooks
}
