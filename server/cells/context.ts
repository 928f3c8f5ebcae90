// The part of the service that the code of cells uses.
import type { BaseContext } from '../db/base-context.ts'
import type { Cells } from '../db/databases.ts'
import type { Db } from '../db/pool.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Wake } from '../jobs/wake.ts'

export interface OrganizationHooks {
  /** Called in order, in the transaction that gives an organization another time zone. */
  afterTimeZone: readonly ((tx: Db, org: number) => Promise<unknown>)[]
}

export interface CellContext extends BaseContext {
  hooks: OrganizationHooks
  /** Notifies that events were committed, or that there is other work. */
  wake: Wake
  /** Queues jobs for the worker. */
  queue: Queue
}

/** The part that moves between cells use. */
export interface MovingContext {
  cells: Cells<CellContext>
}
