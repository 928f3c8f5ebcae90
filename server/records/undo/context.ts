// The parts of the service that undoing changes uses.
import type { TrashContext } from '../trash/context.ts'
import type { RecordWriteContext } from '../write/context.ts'

export interface UndoContext extends RecordWriteContext, TrashContext {
  hooks: RecordWriteContext['hooks'] & TrashContext['hooks']
}
