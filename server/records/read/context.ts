// What reads of records use of the service.

import type { BaseContext } from '../../db/base-context.ts'
import type { ModelContext } from '../../model/attributes/models.ts'
import type { PageReads } from './page-batches.ts'
import type { RecordReads } from './read-batches.ts'

export interface RecordReadContext extends BaseContext, ModelContext {
  /** Reads single records, several of them by one statement. */
  recordReads: RecordReads
  /** Reads first pages, several of them by one statement. */
  pageReads: PageReads
}
