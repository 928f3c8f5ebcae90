// The parts of the service that records use.
import type { AttributeHooks } from '../model/attributes/context.ts'
import type { RecordExportContext } from './export/context.ts'
import type { MergeContext } from './merge/context.ts'
import type { RecordReadContext } from './read/context.ts'

export interface RecordContext extends RecordReadContext, MergeContext, RecordExportContext {
  hooks: MergeContext['hooks'] & AttributeHooks
}
