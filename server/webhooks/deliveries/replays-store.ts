// Statements about replays of many deliveries: the position of each, and its next batch.
import sql, { type Sql } from 'sql-template-tag'
import type { Replay } from '../../../contract/webhooks.ts'
import type { Db } from '../../db/pool.ts'
import { eventBody, eventBodyJoins } from '../../events/body.ts'
import { newestFirst, type PageSpan } from '../../http/paging.ts'
import type { EndpointKey } from '../delivery/endpoint-queue-store.ts'
import { wants } from '../subscription.ts'
import { GIVE_UP_AT, RESTARTED } from './store.ts'

/** A replay. Its id is unique within the organization. */
export interface ReplayRef {
  org: number
  id: string
}

const columns = sql`
  r.id, r.kind, r.since, r.until, r.state, r.replayed, r.created_at as "createdAt", r.finished_at as "finishedAt"`

const isThis = ({ org, id }: ReplayRef): Sql => sql`r.org = ${org} and r.id = ${id}`

interface NewRow {
  id: string
  kind: Replay['kind']
  since: Date
  until: Date
  position: string
  createdBy: string
}

export const insertReplay = (tx: Db, { org, endpoint }: EndpointKey, row: NewRow) =>
  tx.one<Replay>(sql`
    insert into webhook_replays as r (org, id, endpoint, kind, since, until, position, created_by)
    values (${org}, ${row.id}, ${endpoint}, ${row.kind}, ${row.since}, ${row.until}, ${row.position}, ${row.createdBy})
    returning ${columns}`)

const ofEndpoint = ({ org, endpoint }: EndpointKey): Sql =>
  sql`from webhook_replays r where r.org = ${org} and r.endpoint = ${endpoint}`

/** Newest first. */
export const selectReplays = (db: Db, key: EndpointKey, page: PageSpan) =>
  db.many<Replay>(sql`select ${columns} ${ofEndpoint(key)} ${newestFirst(sql`r.id`, page)}`)

export const countReplays = (db: Db, key: EndpointKey) =>
  db.value<number>(sql`select count(*) ${ofEndpoint(key)}`)

export interface RunningReplay extends EndpointKey {
  id: string
  kind: Replay['kind']
  /** Id of the last event that was processed. */
  position: string
  until: string
}

const running = sql`
  select r.org, r.id, r.endpoint, r.kind, r.position, r.until from webhook_replays r`

/** undefined: the replay has ended, or its endpoint was deleted. */
export const findRunningReplay = (db: Db, ref: ReplayRef) =>
  db.maybeOne<RunningReplay>(sql`${running} where ${isThis(ref)} and r.state = 'running'`)

/** Locks the replay. A second worker waits, and continues where the first one ended. */
export const lockRunningReplay = (tx: Db, ref: ReplayRef) =>
  tx.maybeOne<RunningReplay>(sql`${running} where ${isThis(ref)} and r.state = 'running' for update`)

export const moveReplay = (tx: Db, ref: ReplayRef, { position, replayed }: ReplayBatch) =>
  tx.run(sql`
    update webhook_replays r set position = coalesce(${position}, position), replayed = replayed + ${replayed}
    where ${isThis(ref)}`)

export const endReplay = (tx: Db, ref: ReplayRef, state: 'completed' | 'cancelled') =>
  tx.run(sql`update webhook_replays r set state = ${state}, finished_at = now() where ${isThis(ref)}`)

export interface ReplayBatch {
  /** Id of the last event of the batch; null: no event was left. */
  position: string | null
  /** Number of deliveries that were started again or added. */
  replayed: number
  /** Whether the next event is not dispatched yet. */
  isHeld: boolean
}

interface Span {
  /** Id of an event: only later events are selected. */
  position: string
  /** Id of an event: only earlier events are selected. */
  end: string
  limit: number
}

/** Selects deliveries of one state, so that PostgreSQL reads an index in its order. */
const nextIn = ({ org, endpoint }: EndpointKey, { position, end, limit }: Span, state: Sql): Sql => sql`
  select event from (
    select event from webhook_deliveries
    where org = ${org} and endpoint = ${endpoint} and state = ${state} and trigger <> 'test'
      and event > ${position} and event < ${end}
    order by event limit ${limit} for update) as ended`

/**
 * Starts the next failed and cancelled deliveries again. Test deliveries are not changed.
 */
export const restartFailed = (tx: Db, key: EndpointKey, span: Span) =>
  tx.one<ReplayBatch>(sql`
    with batch as (
      ${nextIn(key, span, sql`'failed'`)} union all ${nextIn(key, span, sql`'cancelled'`)}
      order by event limit ${span.limit}),
    restarted as (
      update webhook_deliveries set ${RESTARTED}
      where org = ${key.org} and endpoint = ${key.endpoint} and event in (select event from batch)
      returning event)
    select (select event from batch order by event desc limit 1) as position,
      (select count(*)::int from restarted) as replayed, false as "isHeld"`)

/**
 * Reads the next events, and inserts deliveries that the endpoint should have and does not have. It stops before an
 * event that has an outbox entry, because the dispatcher will process that event. Entry and deliveries change in one
 * transaction, so a snapshot shows either the entry or its deliveries. Entries are read once: a join would compare a
 * backlog of entries with every event.
 */
export const insertMissing = (tx: Db, { org, endpoint }: EndpointKey, { position, end, limit }: Span) =>
  tx.one<ReplayBatch>(sql`
    with held as materialized (
      select m.id from event_pending p cross join unnest(p.events) as m (id)
      where p.reader = 'webhooks' and p.org = ${org} and m.id > ${position} and m.id < ${end} order by m.id limit 1),
    looked as materialized (
      select e.id from events e
      where e.org = ${org} and e.id > ${position} and e.id < coalesce((select id from held), ${end}::uuid)
      order by e.id limit ${limit}),
    missing as materialized (
      select e.id, e.type, ${eventBody} as body
      from looked l join events e on e.org = ${org} and e.id = l.id ${eventBodyJoins}
      join webhook_endpoints w on w.org = ${org} and w.id = ${endpoint}
      where ${wants('w', 'e')} and not exists (
        select from webhook_deliveries d where d.org = ${org} and d.endpoint = ${endpoint} and d.event = e.id)),
    messages as (
      insert into webhook_messages (org, event, type, body) select ${org}, id, type, body from missing
      order by id on conflict (org, event) do nothing),
    inserted as (
      insert into webhook_deliveries (org, endpoint, event, type, trigger, next_attempt_at, give_up_at)
      select ${org}, ${endpoint}, id, type, 'replay', now(), ${GIVE_UP_AT} from missing
      on conflict (org, endpoint, event) do nothing returning event)
    select (select id from looked order by id desc limit 1) as position,
      (select count(*)::int from inserted) as replayed, exists (select from held) as "isHeld"`)
