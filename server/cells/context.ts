// What cells use of the service.
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
  /** Says that events were committed, or that there is other work. */
  wake: Wake
  /** Hands work to the worker. */
  queue: Queue
}

/** What moves between cells use. */
export interface MovingContext {
  cells: Cells<CellContext>
}
