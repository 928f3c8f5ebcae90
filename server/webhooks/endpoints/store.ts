// Statements about endpoints, their queues, and the listener of the organization.
import sql, { empty, type Sql } from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import type { EventType } from '../../../contract/events.ts'
import {
  type DisabledReason,
  ROTATION_GRACE_HOURS,
  WAITING_COUNT_MAX,
} from '../../../contract/webhook-states.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { lockEndpointQueue, updatedNow } from '../delivery/endpoint-queue-store.ts'
import type { SealedTarget } from '../target.ts'
import type { HourRow } from './stats.ts'

/** The fields that users set. */
export interface EndpointFields {
  url: string
  description: string
  eventTypes: EventType[] | null
  objs: number[] | null
  changedAttributes: string[] | null
  /** Sealed; null: none. */
  headers: Buffer | null
  rateLimit: number | null
}

export interface EndpointRow extends EndpointFields, SealedTarget {
  objectIds: string[] | null
  isEnabled: boolean
  disabledReason: DisabledReason | null
  disabledAt: string | null
  failingSince: string | null
  /** End of the time in which the previous secret also signs; null: it does not sign. */
  previousUntil: string | null
  createdAt: string
  updatedAt: string
}

/** Every change of settings or secret changes the ETag. */
export const endpointEtag = ({ updatedAt }: Pick<EndpointRow, 'updatedAt'>): string =>
  `"${Date.parse(updatedAt).toString(36)}"`

const inGrace = sql`w.previous_secret_until > now()`

const columns = sql`
  w.org, w.id, w.url, w.description, w.event_types as "eventTypes", w.objs, w.changed_attributes as "changedAttributes",
  case when w.objs is not null then array(
    select o.id from unnest(w.objs) with ordinality as n (obj, place)
    join objects o on o.org = w.org and o.obj = n.obj and o.deleted_at is null order by n.place) end as "objectIds",
  w.headers, w.rate_limit as "rateLimit", w.is_enabled as "isEnabled", w.disabled_reason as "disabledReason",
  w.disabled_at as "disabledAt", w.failing_since as "failingSince", w.secret,
  case when ${inGrace} then w.previous_secret end as "previousSecret",
  case when ${inGrace} then w.previous_secret_until end as "previousUntil",
  w.created_at as "createdAt", w.updated_at as "updatedAt"`

/** Oldest first. */
export const selectEndpoints = (db: Db, org: number) =>
  db.many<EndpointRow>(sql`
    select ${columns} from webhook_endpoints w where w.org = ${org} order by w.created_at, w.id`)

async function getRow(db: Db, org: number, id: string, lock: Sql): Promise<EndpointRow> {
  const row = isUuid(id)
    ? await db.maybeOne<EndpointRow>(sql`
        select ${columns} from webhook_endpoints w where w.org = ${org} and w.id = ${id} ${lock}`)
    : undefined
  if (!row) throw notFound('endpoint')
  return row
}

/** @throws 404 not_found */
export const getEndpoint = (db: Db, org: number, id: string) => getRow(db, org, id, empty)

/**
 * As getEndpoint, but locks the endpoint until the transaction ends. Locks its queue first, like every transaction that
 * writes its deliveries.
 */
export async function lockEndpoint(tx: Db, org: number, id: string): Promise<EndpointRow> {
  if (isUuid(id)) await lockEndpointQueue(tx, { org, endpoint: id })
  return getRow(tx, org, id, sql`for no key update of w`)
}

/** A condition for one endpoint, or for all. */
const those = (column: Sql, id: string | undefined) => (id === undefined ? empty : sql`and ${column} = ${id}`)

/** Attempts of the hours since `since` (ISO 8601). */
export const selectHours = (db: Db, org: number, { since, id }: { since: string; id?: string | undefined }) =>
  db.many<HourRow & { endpoint: string }>(sql`
    select endpoint, hour, succeeded, failed, latency from webhook_hours
    where org = ${org} and hour >= ${since} ${those(sql`endpoint`, id)}`)

/** Counts pending deliveries, up to WAITING_COUNT_MAX for each endpoint. */
export const countWaitingByEndpoint = (db: Db, org: number, id?: string) =>
  db.many<{ endpoint: string; waiting: number }>(sql`
    select w.id as endpoint, (
      select count(*) from (
        select from webhook_deliveries d
        where d.org = ${org} and d.endpoint = w.id and d.state = 'pending' limit ${WAITING_COUNT_MAX}) as counted) as waiting
    from webhook_endpoints w where w.org = ${org} ${those(sql`w.id`, id)}`)

/** Internal numbers of objects, active or not, by their ids. */
export const selectObjs = (db: Db, org: number, ids: readonly string[]) =>
  db.many<{ id: string; obj: number }>(sql`
    select id, obj from objects where org = ${org} and id = any(${ids}::uuid[]) and deleted_at is null`)

export const countEndpoints = (db: Db, org: number): Promise<number> =>
  db.value<number>(sql`select count(*) as n from webhook_endpoints where org = ${org}`)

interface EndpointDraft extends EndpointFields {
  id: string
  secret: Buffer
  createdBy: string | null
}

/** Inserts the enabled endpoint and its queue. */
export async function insertEndpoint(tx: Db, org: number, draft: EndpointDraft): Promise<void> {
  await tx.run(sql`
    insert into webhook_endpoints (org, id, url, description, event_types, objs, changed_attributes, headers,
      rate_limit, secret, created_by)
    values (${org}, ${draft.id}, ${draft.url}, ${draft.description}, ${draft.eventTypes}::text[], ${draft.objs}::int[],
      ${draft.changedAttributes}::text[], ${draft.headers}, ${draft.rateLimit}, ${draft.secret}, ${draft.createdBy})`)
  await tx.run(sql`insert into webhook_lanes (org, endpoint) values (${org}, ${draft.id})`)
}

/** A pause that a receiver requested does not apply to the receiver at a new URL. */
const endPause = (tx: Db, org: number, { id, url }: { id: string; url: string }) =>
  tx.run(sql`
    update webhook_lanes l set not_before = '-infinity' from webhook_endpoints w
    where l.org = ${org} and l.endpoint = ${id} and w.org = l.org and w.id = l.endpoint and w.url <> ${url}`)

/** Writes the fields of a locked endpoint. */
export async function updateEndpoint(
  tx: Db,
  org: number,
  { id, ...fields }: EndpointFields & { id: string },
): Promise<void> {
  await endPause(tx, org, { id, url: fields.url })
  await tx.run(sql`
    update webhook_endpoints set url = ${fields.url}, description = ${fields.description},
      event_types = ${fields.eventTypes}::text[], objs = ${fields.objs}::int[],
      changed_attributes = ${fields.changedAttributes}::text[], headers = ${fields.headers},
      rate_limit = ${fields.rateLimit}, ${updatedNow}
    where org = ${org} and id = ${id}`)
}

/** Enables a locked endpoint. Its pending deliveries are due immediately. */
export async function enableEndpoint(tx: Db, org: number, id: string): Promise<void> {
  await tx.run(sql`
    update webhook_lanes set due_at = now(), not_before = '-infinity' where org = ${org} and endpoint = ${id}`)
  await tx.run(sql`
    update webhook_endpoints set is_enabled = true, disabled_reason = null, disabled_at = null,
      failing_since = null, ${updatedNow}
    where org = ${org} and id = ${id}`)
}

/**
 * Replaces the secret of a locked endpoint. @param keepPrevious whether the former secret also signs for some time
 * @returns the end of that time
 */
export const replaceSecret = (
  tx: Db,
  org: number,
  { id, secret, keepPrevious }: { id: string; secret: Buffer; keepPrevious: boolean },
) =>
  tx.one<{ previousUntil: string | null }>(sql`
    update webhook_endpoints set secret = ${secret},
      previous_secret = case when ${keepPrevious}::boolean then secret end,
      previous_secret_until = case when ${keepPrevious}::boolean
        then now() + make_interval(hours => ${ROTATION_GRACE_HOURS}) end, ${updatedNow}
    where org = ${org} and id = ${id} returning previous_secret_until as "previousUntil"`)

/** Deletes queue, statistics and replays too. Deliveries stay, hidden, until their partitions are dropped. */
export const deleteEndpointRow = (tx: Db, org: number, id: string) =>
  tx.run(sql`delete from webhook_endpoints where org = ${org} and id = ${id}`)
