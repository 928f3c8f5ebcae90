// The parts of the service that imports use.
import type { DiskSpace } from '../db/disk-space/disk-space.ts'
import type { Queue } from '../jobs/queue.ts'
import type { RecordContext } from '../records/context.ts'

export interface ImportContext extends RecordContext {
  /** Passes work to the worker. */
  queue: Queue
  diskSpace: DiskSpace
}
