// What exports of records use of the service.
import type { ModelContext } from '../../attributes/models.ts'
import type { BaseContext } from '../../base-context.ts'
import type { ExportPool } from './export-pool.ts'

export interface RecordExportContext extends BaseContext, ModelContext {
  /** Where exports run. */
  exports: ExportPool
}
