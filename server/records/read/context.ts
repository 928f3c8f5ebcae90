// The parts of the service that reads of records use.

import type { BaseContext } from '../../db/base-context.ts'
import type { ModelContext } from '../../model/attributes/models.ts'
import type { PageReads } from './page-batches.ts'
import type { RecordReads } from './read-batches.ts'

export interface RecordReadContext extends BaseContext, ModelContext {
  /** Reads single records. Several of them share one statement. */
  recordReads: RecordReads
  /** Reads first pages. Several of them share one statement. */
  pageReads: PageReads
}
