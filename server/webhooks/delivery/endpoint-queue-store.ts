// Endpoint queues (table webhook_lanes): one per endpoint. The worker that holds the lease sends its deliveries; a
// lease that is not renewed expires.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { takesWork } from '../../placement/placement.ts'

export interface EndpointKey {
  org: number
  endpoint: string
}

/** What is needed to send to an endpoint. */
export interface EndpointTarget extends EndpointKey {
  /** Changes with every change of the endpoint, and when the previous secret ends. */
  version: string
  isEnabled: boolean
  url: string
  rateLimit: number | null
  /** Sealed. */
  headers: Buffer | null
  secret: Buffer
  /** Sealed; null when its time is over. */
  previousSecret: Buffer | null
}

export interface LeasedEndpoint extends EndpointTarget {
  fence: number
  concurrency: number
}

/** Increases the version that workers compare to notice a change of the endpoint. */
export const updatedNow = sql`updated_at = greatest(now(), updated_at + interval '1 millisecond')`

const version = (now: Sql): Sql => sql`
  w.updated_at::text || case when w.previous_secret_until > ${now} then ' both' else '' end`

const target = (now: Sql): Sql => sql`
  w.org, w.id as endpoint, ${version(now)} as version, w.is_enabled as "isEnabled", w.url, w.rate_limit as "rateLimit", w.headers, w.secret,
  case when w.previous_secret_until > ${now} then w.previous_secret end as "previousSecret"`

export interface DueDelivery {
  event: string
  type: string
  body: string
  /** Of the body, in bytes. */
  size: number
  attempts: number
  tries: number
  trigger: 'event' | 'replay'
  giveUpInMs: number
  /** Of the endpoint, now. */
  version: string
}

export const LEASE_SECONDS = 30
const lease = sql`make_interval(secs => ${LEASE_SECONDS})`

/** The first lock of a transaction that changes an endpoint or its deliveries: no other starts or ends one meanwhile. */
export const lockEndpointQueue = (tx: Db, { org, endpoint }: EndpointKey): Promise<number> =>
  tx.run(sql`select from webhook_lanes where org = ${org} and endpoint = ${endpoint} for update`)

/** Makes the queue due; in the transaction that makes deliveries due. */
export const wakeEndpointQueue = (tx: Db, { org, endpoint }: EndpointKey, now: Sql = sql`now()`) =>
  tx.run(sql`
    update webhook_lanes set due_at = least(due_at, ${now}) where org = ${org} and endpoint = ${endpoint}`)

interface Leasing {
  limit: number
  /** Organizations that have as many workers as they may. */
  without: readonly number[]
}

/** Leases queues that are due and not leased, the ones due longest first. */
export const leaseEndpointQueues = (db: Db, { limit, without }: Leasing, now: Sql): Promise<LeasedEndpoint[]> =>
  db.many<LeasedEndpoint>(sql`
    with due as (
      select org, endpoint from webhook_lanes
      where due_at <= ${now} and not_before <= ${now} and leased_until < ${now} and org <> all(${without}::int[])
      order by due_at limit ${limit} for update skip locked)
    update webhook_lanes l set leased_until = ${now} + ${lease}, fence = l.fence + 1
    from due join webhook_endpoints w on w.org = due.org and w.id = due.endpoint
    where l.org = due.org and l.endpoint = due.endpoint
    returning ${target(now)}, l.fence, l.concurrency`)

interface Wanted {
  limit: number
  /** Of text, at most; always one delivery. */
  bytes: number
  /** Events. */
  without: readonly string[]
  now: Sql
}

/**
 * Due deliveries with their messages, the ones due longest first, without those of `without`. None while the endpoint is
 * disabled or the organization is about to move: its worker then releases the queue, and another cell can continue.
 */
export const selectDue = (db: Db, { org, endpoint }: EndpointKey, { limit, bytes, without, now }: Wanted) =>
  db.many<DueDelivery>(sql`
    select d.event, d.type, d.body, d.size, d.attempts, d.tries, d.trigger,
      (extract(epoch from d.give_up_at - ${now}) * 1000)::float8 as "giveUpInMs", d.version
    from (
      select d.*, m.type, m.body, octet_length(m.body) as size, ${version(now)} as version,
        sum(octet_length(m.body)) over (order by d.next_attempt_at rows unbounded preceding) as total
      from webhook_endpoints w cross join lateral (
        select event, attempts, tries, trigger, give_up_at, next_attempt_at from webhook_deliveries
        where org = ${org} and endpoint = ${endpoint} and state = 'pending' and next_attempt_at <= ${now}
          and event <> all(${without}::uuid[])
        order by next_attempt_at limit ${limit}) as d
      cross join lateral (
        select type, body from webhook_messages where org = ${org} and event = d.event offset 0) as m
      where w.org = ${org} and w.id = ${endpoint} and w.is_enabled and ${takesWork(sql`${org}`)}) as d
    where d.total - d.size < ${bytes}
    order by d.next_attempt_at`)

type Held = Pick<LeasedEndpoint, 'org' | 'endpoint' | 'fence'>

/** Keeps the lease. @returns the endpoint as it is now; undefined when the lease is lost */
export const renewLease = (db: Db, { org, endpoint, fence }: Held, now: Sql) =>
  db.maybeOne<EndpointTarget>(sql`
    update webhook_lanes l set leased_until = ${now} + ${lease} from webhook_endpoints w
    where l.org = ${org} and l.endpoint = ${endpoint} and l.fence = ${fence}
      and w.org = l.org and w.id = l.endpoint
    returning ${target(now)}`)

interface Release {
  concurrency: number
  /** The earliest time of the next request. */
  pauseMs: number
  now: Sql
}

/**
 * Releases the lease and sets when the queue is due next. This takes two statements: the second one sees what was
 * committed while the first waited for the row.
 */
export const releaseEndpointQueue = (
  db: Db,
  { org, endpoint, fence }: Held,
  { concurrency, pauseMs, now }: Release,
): Promise<void> =>
  db.transaction(async (tx) => {
    const held = await tx.run(sql`
      select from webhook_lanes where org = ${org} and endpoint = ${endpoint} and fence = ${fence} for update`)
    if (held === 0) return
    await tx.run(sql`
      update webhook_lanes l set leased_until = '-infinity', concurrency = ${concurrency},
        not_before = greatest(l.not_before, ${now} + make_interval(secs => ${pauseMs / 1000}::float8)),
        due_at = case when w.is_enabled then coalesce((
          select min(d.next_attempt_at) from webhook_deliveries d
          where d.org = l.org and d.endpoint = l.endpoint and d.state = 'pending'), 'infinity') else 'infinity' end
      from webhook_endpoints w
      where l.org = ${org} and l.endpoint = ${endpoint} and w.org = l.org and w.id = l.endpoint`)
  })
