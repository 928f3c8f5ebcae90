// The parts of the service that exports of records use.

import type { BaseContext } from '../../db/base-context.ts'
import type { ModelContext } from '../../model/attributes/models.ts'
import type { ExportPool } from './export-pool.ts'

export interface RecordExportContext extends BaseContext, ModelContext {
  /** Slots and connections of exports. */
  exports: ExportPool
}
