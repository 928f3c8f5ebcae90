// What should have moved and has not. At rest there is none of it; what is found is set going again.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** Whatever is late by less is on its way. */
const PATIENCE = sql`interval '60 seconds'`

export interface Stuck {
  /** Markers of events that nobody took. */
  undispatched: number
  /** Endpoints with a delivery that is due, whose lane nobody would look at. */
  forgottenLanes: number
}

const forgotten = (now: Sql): Sql => sql`
  select l.org, l.endpoint from webhook_lanes l
  join webhook_endpoints w on w.org = l.org and w.id = l.endpoint and w.is_enabled
  cross join lateral (
    select next_attempt_at from webhook_deliveries d
    where d.org = l.org and d.endpoint = l.endpoint and d.state = 'pending'
    order by next_attempt_at limit 1) as first
  where l.due_at > first.next_attempt_at and l.leased_until < ${now} and first.next_attempt_at < ${now} - ${PATIENCE}`

/** Counted no further: whoever has so much has heard enough, and a backlog must not make every look at it dear. */
export const COUNTED_MAX = 100_000

export const countStuck = (db: Db, now: Sql = sql`now()`): Promise<Stuck> =>
  db.one<Stuck>(sql`
    select (select count(*) from (
        select from event_pending where created_at < ${now} - ${PATIENCE} limit ${COUNTED_MAX}) as p) as undispatched,
      (select count(*) from (${forgotten(now)}) as f) as "forgottenLanes"`)

/** Sees to it that a worker looks at forgotten lanes. @returns how many there were */
export const wakeForgotten = (db: Db, now: Sql = sql`now()`): Promise<number> =>
  db.run(sql`
    update webhook_lanes l set due_at = ${now} from (${forgotten(now)}) as f
    where l.org = f.org and l.endpoint = f.endpoint`)

/** How much is to be sent, now or later; up to COUNTED_MAX. */
export async function countWaiting(db: Db): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) from (
      select from webhook_endpoints w
      join webhook_deliveries d on d.org = w.org and d.endpoint = w.id and d.state = 'pending'
      where w.is_enabled limit ${COUNTED_MAX}) as counted`)
  return count
}
