// What records use of the service.
import type { AttributeHooks } from '../attributes/context.ts'
import type { ModelContext } from '../attributes/models.ts'
import type { BaseContext } from '../base-context.ts'
import type { ExportPool } from './export/export-pool.ts'
import type { RecordHooks } from './hooks.ts'
import type { PageReads } from './page-batches.ts'
import type { RecordReads } from './read-batches.ts'
import type { RecordWrites } from './write-batches.ts'

export interface RecordContext extends BaseContext, ModelContext {
  /** Reads single records, several of them by one statement. */
  recordReads: RecordReads
  /** Reads first pages, several of them by one statement. */
  pageReads: PageReads
  /** Inserts single records, several of them by one statement. */
  recordInserts: RecordWrites
  /** Changes single records, several of them by one statement. */
  recordUpdates: RecordWrites
  /** Where exports run. */
  exports: ExportPool
  hooks: RecordHooks & AttributeHooks
}
