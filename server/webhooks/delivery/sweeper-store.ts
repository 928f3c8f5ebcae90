// Finds and wakes events that were not dispatched and queues that no worker leases. Normally there are none.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { LEASE_SECONDS } from './endpoint-queue-store.ts'

/** Work that is late by less is still in progress. */
const PATIENCE = sql`interval '60 seconds'`

export interface Stuck {
  /** Outbox entries that were not consumed. */
  undispatched: number
  /** Endpoints with a due delivery whose queue no worker would lease. */
  forgottenQueues: number
}

const lease = sql`make_interval(secs => ${LEASE_SECONDS})`

/** No worker would lease it; or a lease that no process took by this clock. */
const forgotten = (now: Sql): Sql => sql`
  select l.org, l.endpoint from webhook_lanes l
  join webhook_endpoints w on w.org = l.org and w.id = l.endpoint and w.is_enabled
  cross join lateral (
    select next_attempt_at from webhook_deliveries d
    where d.org = l.org and d.endpoint = l.endpoint and d.state = 'pending'
    order by next_attempt_at limit 1) as first
  where l.due_at > first.next_attempt_at and l.leased_until < ${now} and first.next_attempt_at < ${now} - ${PATIENCE}
  union
  select org, endpoint from webhook_lanes where leased_until > ${now} + 2 * ${lease}`

/** An entry of the future was written before the clock was set back. */
const isLate = (now: Sql): Sql =>
  sql`(created_at < ${now} - ${PATIENCE} or created_at > ${now} + ${PATIENCE})`

/** Counting stops here: a larger figure is not more useful, and counting a backlog must stay cheap. */
export const COUNTED_MAX = 100_000

export const countStuck = (db: Db, now: Sql = sql`now()`): Promise<Stuck> =>
  db.one<Stuck>(sql`
    select (select count(*) from (
        select from event_pending where ${isLate(now)} limit ${COUNTED_MAX}) as p) as undispatched,
      (select count(*) from (${forgotten(now)}) as f) as "forgottenQueues"`)

/** Makes forgotten queues due. @returns how many there were */
export const wakeForgotten = (db: Db, now: Sql = sql`now()`): Promise<number> =>
  db.run(sql`
    update webhook_lanes l set due_at = least(l.due_at, ${now}), leased_until = least(l.leased_until, ${now} + ${lease})
    from (${forgotten(now)}) as f
    where l.org = f.org and l.endpoint = f.endpoint`)

/** After the clock was set back. @returns how many queues and deliveries were moved */
export async function moveWebhooksBack(tx: Db, seconds: number): Promise<number> {
  const step = sql`make_interval(secs => ${seconds}::float8)`
  const queues = await tx.run(sql`
    update webhook_lanes set due_at = due_at - ${step}, not_before = not_before - ${step},
      leased_until = leased_until - ${step}
    where greatest(case when due_at < 'infinity' then due_at end, not_before, leased_until) > now()`)
  const deliveries = await tx.run(sql`
    update webhook_deliveries set next_attempt_at = next_attempt_at - ${step}, give_up_at = give_up_at - ${step}
    where state = 'pending' and next_attempt_at > now()`)
  return queues + deliveries
}

/** The number of pending deliveries, up to COUNTED_MAX. */
export const countWaiting = (db: Db): Promise<number> =>
  db.value<number>(sql`
    select count(*) from (
      select from webhook_endpoints w
      join webhook_deliveries d on d.org = w.org and d.endpoint = w.id and d.state = 'pending'
      where w.is_enabled limit ${COUNTED_MAX}) as counted`)
