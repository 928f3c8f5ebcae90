// Finds events that were not dispatched and queues that no worker leases. Normally there are none.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { forgottenRows, moveRowsBack } from '../../jobs/leased-table.ts'
import { ENDPOINT_QUEUES, PATIENCE } from './endpoint-queue-store.ts'

export interface Stuck {
  /** Outbox entries that are late and not consumed. */
  undispatched: number
  /** Endpoints with a due delivery whose queue is not due, so that no worker leases it. */
  forgottenQueues: number
}

/** An entry with a future time was written before the clock was set back. */
const isLate = (now: Sql): Sql =>
  sql`(created_at < ${now} - ${PATIENCE} or created_at > ${now} + ${PATIENCE})`

/** Counting stops here: a larger number is not more useful, and counting a backlog must stay cheap. */
export const DELIVERIES_COUNTED_MAX = 100_000

export const countStuckDeliveries = (db: Db, now: Sql = sql`now()`): Promise<Stuck> =>
  db.one<Stuck>(sql`
    select (select count(*) from (
        select from event_pending where ${isLate(now)} limit ${DELIVERIES_COUNTED_MAX}) as p) as undispatched,
      (select count(*) from (${forgottenRows(ENDPOINT_QUEUES, now)}) as f) as "forgottenQueues"`)

/** Moves times back after the clock was set back. @returns how many queues and deliveries were moved */
export async function moveWebhooksBack(tx: Db, seconds: number): Promise<number> {
  const step = sql`make_interval(secs => ${seconds}::float8)`
  const queues = await moveRowsBack(tx, ENDPOINT_QUEUES, seconds)
  const deliveries = await tx.run(sql`
    update webhook_deliveries set next_attempt_at = next_attempt_at - ${step}, give_up_at = give_up_at - ${step}
    where state = 'pending' and next_attempt_at > now()`)
  return queues + deliveries
}

/** The number of pending deliveries, up to DELIVERIES_COUNTED_MAX. */
export const countPendingDeliveries = (db: Db): Promise<number> =>
  db.value<number>(sql`
    select count(*) from (
      select from webhook_endpoints w
      join webhook_deliveries d on d.org = w.org and d.endpoint = w.id and d.state = 'pending'
      where w.is_enabled limit ${DELIVERIES_COUNTED_MAX}) as counted`)
