// The parts of the service that undo jobs use.
import type { Queue } from '../jobs/queue.ts'
import type { MergeContext } from '../records/merge/context.ts'
import type { UndoContext } from '../records/undo/context.ts'

export interface ChangeSetContext extends UndoContext, MergeContext {
  hooks: UndoContext['hooks'] & MergeContext['hooks']
  /** Queues jobs for the worker. */
  queue: Queue
}
