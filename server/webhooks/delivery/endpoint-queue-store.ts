// Endpoint queues (table webhook_lanes): one per endpoint. The worker that holds the lease sends its deliveries; a
// lease that is not renewed expires.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import {
  heldRow,
  type LeasedTable,
  leasedRows,
  type RowLease,
  releaseLease,
} from '../../jobs/leased-table.ts'
import { takesWork } from '../../placement/placement.ts'

export interface EndpointKey {
  org: number
  endpoint: string
}

/** The data needed to send to an endpoint. */
export interface EndpointTarget extends EndpointKey {
  /** Changes with every change of the endpoint, and when the previous secret ends. */
  version: string
  isEnabled: boolean
  url: string
  rateLimit: number | null
  /** Sealed. */
  headers: Buffer | null
  secret: Buffer
  /** Sealed; null: there is none, or it has expired. */
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
  /** Size of the body in bytes. */
  size: number
  attempts: number
  tries: number
  trigger: 'event' | 'replay'
  giveUpInMs: number
  /** The current version of the endpoint. */
  version: string
}

export const QUEUE_LEASE_SECONDS = 30
/** Work that is less late than this may still be in progress. */
export const PATIENCE = sql`interval '60 seconds'`

export const ENDPOINT_QUEUES: LeasedTable<'org' | 'endpoint'> = {
  name: 'webhook_lanes',
  key: ['org', 'endpoint'],
  times: ['due_at', 'not_before', 'leased_until'],
  leaseSeconds: QUEUE_LEASE_SECONDS,
  forgotten: (now) => sql`
    select l.org, l.endpoint from webhook_lanes l
    join webhook_endpoints w on w.org = l.org and w.id = l.endpoint and w.is_enabled
    cross join lateral (
      select next_attempt_at from webhook_deliveries d
      where d.org = l.org and d.endpoint = l.endpoint and d.state = 'pending'
      order by next_attempt_at limit 1) as first
    where l.due_at > first.next_attempt_at and l.leased_until < ${now} and first.next_attempt_at < ${now} - ${PATIENCE}`,
}

/** Every transaction that changes an endpoint or its deliveries takes this lock first, so these are serialized. */
export const lockEndpointQueue = (tx: Db, { org, endpoint }: EndpointKey): Promise<number> =>
  tx.run(sql`select from webhook_lanes where org = ${org} and endpoint = ${endpoint} for update`)

/** Makes the queue due, in the transaction that makes deliveries due. */
export const wakeEndpointQueue = (tx: Db, { org, endpoint }: EndpointKey, now: Sql = sql`now()`) =>
  tx.run(sql`
    update webhook_lanes set due_at = least(due_at, ${now}) where org = ${org} and endpoint = ${endpoint}`)

interface Leasing {
  limit: number
  /** Organizations that have reached their limit of workers. */
  without: readonly number[]
}

/** Leases due queues that are not leased, the longest overdue first. */
export function leaseEndpointQueues(
  db: Db,
  { limit, without }: Leasing,
  now: Sql,
): Promise<LeasedEndpoint[]> {
  const isFree = sql`not_before <= ${now} and org <> all(${without}::int[])`
  return db.many<LeasedEndpoint>(sql`
    with ${leasedRows(ENDPOINT_QUEUES, { limit, now, isFree })}
    select ${target(now)}, l.fence, l.concurrency
    from leased l join webhook_endpoints w on w.org = l.org and w.id = l.endpoint`)
}

interface Wanted {
  limit: number
  /** The maximum size of the bodies. One delivery is always returned. */
  bytes: number
  /** Ids of events to leave out. */
  without: readonly string[]
  now: Sql
}

/**
 * Due deliveries with their messages, the longest overdue first. None while the endpoint is disabled or the
 * organization is about to move: its worker then releases the queue, and another cell can continue.
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

type Held = RowLease<'org' | 'endpoint'>

/** Renews the lease. @returns the current endpoint; undefined when the lease is lost */
export const renewLease = (db: Db, lease: Held, now: Sql) =>
  db.maybeOne<EndpointTarget>(sql`
    with ${heldRow(ENDPOINT_QUEUES, lease, now)}
    select ${target(now)} from held h join webhook_endpoints w on w.org = h.org and w.id = h.endpoint`)

interface Release {
  concurrency: number
  /** The earliest time of the next request. */
  pauseMs: number
  now: Sql
}

/** Releases the lease and sets when the queue is due next. */
export function releaseEndpointQueue(
  db: Db,
  lease: Held,
  { concurrency, pauseMs, now }: Release,
): Promise<void> {
  const { org, endpoint } = lease
  const set = sql`
    concurrency = ${concurrency},
    not_before = greatest(not_before, ${now} + make_interval(secs => ${pauseMs / 1000}::float8)),
    due_at = case when (select is_enabled from webhook_endpoints where org = ${org} and id = ${endpoint})
      then coalesce((
        select min(next_attempt_at) from webhook_deliveries
        where org = ${org} and endpoint = ${endpoint} and state = 'pending'), 'infinity')
      else 'infinity' end`
  return releaseLease(db, ENDPOINT_QUEUES, lease, { set })
}
