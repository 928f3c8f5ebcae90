// What exports of records use of the service.

import type { BaseContext } from '../../db/base-context.ts'
import type { ModelContext } from '../../model/attributes/models.ts'
import type { ExportPool } from './export-pool.ts'

export interface RecordExportContext extends BaseContext, ModelContext {
  /** Where exports run. */
  exports: ExportPool
}
