// What undoing changes uses of the service.
import type { TrashContext } from '../trash/context.ts'
import type { RecordWriteContext } from '../write/context.ts'

export interface UndoContext extends RecordWriteContext, TrashContext {
  hooks: RecordWriteContext['hooks'] & TrashContext['hooks']
}
