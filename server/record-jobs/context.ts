// The parts of the service that jobs use.
import type { DiskSpace } from '../db/disk-space/disk-space.ts'
import type { Queue } from '../jobs/queue.ts'
import type { RecordContext } from '../records/context.ts'

export interface JobsContext extends RecordContext {
  /** Queues jobs for the worker. */
  queue: Queue
  diskSpace: DiskSpace
}
