// What undo jobs use of the service.
import type { Queue } from '../jobs/queue.ts'
import type { UndoContext } from '../records/undo/context.ts'

export interface ChangeSetContext extends UndoContext {
  /** Hands work to the worker. */
  queue: Queue
}
