// Statements that read deliveries and start one again.
import sql, { join, type Sql } from 'sql-template-tag'
import type { DeliveryState, Failure, Trigger } from '../../../contract/webhook-states.ts'
import type { DeliveryType } from '../../../contract/webhooks.ts'
import type { Db } from '../../db/pool.ts'
import { newestFirst, type PageSpan } from '../../http/paging.ts'
import { GIVE_UP_AFTER } from '../delivery/dispatch-store.ts'
import type { DeliveryKey } from '../delivery-id.ts'

export interface DeliveryRow {
  endpointId: string
  eventId: string
  eventType: DeliveryType
  state: DeliveryState
  trigger: Trigger
  attempts: number
  createdAt: string
  lastAttemptAt: string | null
  lastStatus: number | null
  lastFailure: Failure | null
  lastDurationMs: number | null
  nextAttemptAt: string | null
  giveUpAt: string
}

const columns = sql`
  d.endpoint as "endpointId", d.event as "eventId", d.type as "eventType", d.state, d.trigger, d.attempts,
  d.created_at as "createdAt", d.last_attempt_at as "lastAttemptAt", d.last_status as "lastStatus",
  d.last_failure as "lastFailure", d.last_duration_ms as "lastDurationMs",
  case when d.state = 'pending' then d.next_attempt_at end as "nextAttemptAt", d.give_up_at as "giveUpAt"`

const isThis = (org: number, { endpoint, event }: DeliveryKey): Sql =>
  sql`d.org = ${org} and d.endpoint = ${endpoint} and d.event = ${event}`

/** Literals instead of parameters, because the indexes of some states are partial. */
const IN_STATE: Readonly<Record<DeliveryState, Sql>> = {
  pending: sql`d.state = 'pending'`,
  succeeded: sql`d.state = 'succeeded'`,
  failed: sql`d.state = 'failed'`,
  cancelled: sql`d.state = 'cancelled'`,
}

/** Bounds are ids of events. */
export interface DeliveryFilters {
  state: DeliveryState | undefined
  type: DeliveryType | undefined
  /** Inclusive. */
  from: string | undefined
  /** Exclusive. */
  before: string | undefined
}

interface DeliveryPage {
  found: DeliveryRow[]
  total: number | undefined
}

/** Newest event first. */
export async function selectDeliveries(
  db: Db,
  { org, endpoint }: { org: number; endpoint: string },
  { state, type, from, before }: DeliveryFilters,
  page: PageSpan,
): Promise<DeliveryPage> {
  const conditions = [
    sql`d.org = ${org} and d.endpoint = ${endpoint}`,
    state && IN_STATE[state],
    type && sql`d.type = ${type}`,
    from && sql`d.event >= ${from}`,
    before && sql`d.event < ${before}`,
  ].filter((condition) => condition !== undefined && condition !== '')
  const listed = sql`from webhook_deliveries d where ${join(conditions, ' and ')}`
  const found = await db.many<DeliveryRow>(
    sql`select ${columns} ${listed} ${newestFirst(sql`d.event`, page)}`,
  )
  const total = page.count ? await db.value<number>(sql`select count(*) ${listed}`) : undefined
  return { found, total }
}

export interface DetailRow extends DeliveryRow {
  endpointUrl: string
  body: string
}

/** undefined: unknown, or its endpoint was deleted. */
export const findDelivery = (db: Db, org: number, key: DeliveryKey) =>
  db.maybeOne<DetailRow>(sql`
    select ${columns}, w.url as "endpointUrl", m.body
    from webhook_deliveries d
    join webhook_endpoints w on w.org = d.org and w.id = d.endpoint
    join webhook_messages m on m.org = d.org and m.event = d.event
    where ${isThis(org, key)}`)

export interface AttemptRow {
  attempt: number
  trigger: Trigger
  startedAt: string
  url: string
  requestHeaders: Record<string, string>
  ip: string | null
  status: number | null
  responseHeaders: Record<string, string | string[]> | null
  responseBody: Buffer | null
  isTruncated: boolean
  failure: Failure | null
  message: string | null
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  totalMs: number
}

/** Newest first. */
export const selectAttempts = (db: Db, org: number, { key, limit }: { key: DeliveryKey; limit: number }) =>
  db.many<AttemptRow>(sql`
    select d.attempt, d.trigger, d.started_at as "startedAt", d.url, d.request_headers as "requestHeaders", d.ip, d.status,
      d.response_headers as "responseHeaders", d.response_body as "responseBody", d.is_truncated as "isTruncated",
      d.failure, d.message, d.dns_ms as "dnsMs", d.connect_ms as "connectMs", d.tls_ms as "tlsMs",
      d.first_byte_ms as "firstByteMs", d.duration_ms as "totalMs"
    from webhook_attempts d where ${isThis(org, key)}
    order by d.attempt desc limit ${limit}`)

/** The end of retries for a delivery that starts now. */
export const GIVE_UP_AT = sql`now() + ${GIVE_UP_AFTER}`

/** Columns of a delivery that starts again: it is due immediately, and all retries are available again. */
export const RESTARTED = sql`
  state = 'pending', trigger = 'replay', tries = 0, next_attempt_at = now(), give_up_at = ${GIVE_UP_AT}`

/** undefined: unknown. `startedAs`: its trigger before the replay. */
export const restartDelivery = (tx: Db, org: number, key: DeliveryKey) =>
  tx.maybeOne<DeliveryRow & { startedAs: Trigger }>(sql`
    update webhook_deliveries d set ${RESTARTED} where ${isThis(org, key)}
    returning ${columns}, old.trigger as "startedAs"`)
