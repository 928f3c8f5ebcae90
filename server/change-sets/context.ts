// The parts of the service that undo jobs use.
import type { Queue } from '../jobs/queue.ts'
import type { UndoContext } from '../records/undo/context.ts'

export interface ChangeSetContext extends UndoContext {
  /** Queues jobs for the worker. */
  queue: Queue
}
