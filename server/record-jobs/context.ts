// What jobs use of the service.
import type { DiskSpace } from '../db/disk-space/disk-space.ts'
import type { Queue } from '../jobs/queue.ts'
import type { RecordContext } from '../records/context.ts'

export interface JobsContext extends RecordContext {
  /** Hands work to the worker. */
  queue: Queue
  diskSpace: DiskSpace
}
