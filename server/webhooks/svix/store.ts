// Statements about messages for Svix.
import sql, { type Sql } from 'sql-template-tag'
import { EVENT_TYPES } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import { eventBody, eventBodyJoins } from '../../events/body.ts'
import type { Sink } from '../../events/dispatch.ts'
import { eventsOfEntries, type OutboxEntry } from '../../events/outbox-entries.ts'
import {
  forgottenRows,
  heldRow,
  type LeasedTable,
  leasedRows,
  moveRowsBack,
  releaseLease,
} from '../../jobs/leased-table.ts'
import { type EndpointRecipient, GIVE_UP_AFTER } from '../delivery/dispatch-store.ts'
import { DELIVERIES_COUNTED_MAX } from '../delivery/sweeper-store.ts'

export const hasApplication = async (db: Db, org: number): Promise<boolean> =>
  (await db.maybeOne(sql`select org from svix_applications where org = ${org}`)) !== undefined

/** From now on events of the organization are sent to Svix. */
export const insertApplication = (db: Db, org: number): Promise<number> =>
  db.run(sql`
    with listener as (
      insert into event_listeners (org, listener) values (${org}, 'svix') on conflict do nothing)
    insert into svix_applications (org) values (${org}) on conflict do nothing`)

export const getOrganizationName = (db: Db, org: number): Promise<string> =>
  db.value<string>(sql`select name from organizations where org = ${org}`)

/** Locks applications before messages are written, always in the same order. */
const lockApplications = (tx: Db, orgs: readonly number[]): Promise<number> =>
  tx.run(sql`
    select from svix_applications where org = any(${orgs}::int[]) order by org for no key update`)

/** Inserts a message for each event of organizations with an application. A waiting retry is not started earlier. */
const insertMessages = (tx: Db, entries: readonly OutboxEntry[], now: Sql): Promise<number> =>
  tx.run(sql`
    with message as (
      insert into svix_messages (org, event, type, body, give_up_at)
      select e.org, e.id, e.type, ${eventBody}, ${now} + ${GIVE_UP_AFTER}
      from ${eventsOfEntries(entries)} join svix_applications a on a.org = e.org ${eventBodyJoins}
      where e.type = any(${Object.keys(EVENT_TYPES)}::text[])
      on conflict do nothing returning org)
    update svix_applications a set due_at = ${now} from (select distinct org from message) as m
    where a.org = m.org and a.due_at = 'infinity'`)

/** The sink of events when Svix delivers webhooks: no endpoint of the service must be woken. */
export const svixSink: Sink<EndpointRecipient> = async (tx, entries, now) => {
  await lockApplications(tx, [...new Set(entries.map(({ org }) => org))])
  await insertMessages(tx, entries, now)
  return []
}

export interface SvixLease {
  org: number
  fence: number
  /** uid of the application */
  orgId: string
  name: string
}

export const APPLICATIONS: LeasedTable<'org'> = {
  name: 'svix_applications',
  key: ['org'],
  times: ['due_at', 'leased_until'],
  // Longer than sending a message and creating an application can take together.
  leaseSeconds: 60,
  forgotten: (now) => sql`
    select a.org from svix_applications a
    where a.due_at = 'infinity' and a.leased_until < ${now}
      and exists (select from svix_messages m where m.org = a.org and m.stopped_at is null)`,
}

/** Leases due applications that are not leased, the longest overdue first. */
export const leaseApplications = (db: Db, limit: number, now: Sql): Promise<SvixLease[]> =>
  db.many<SvixLease>(sql`
    with ${leasedRows(APPLICATIONS, { limit, now })}
    select l.org, l.fence, o.id as "orgId", o.name from leased l join organizations o on o.org = l.org`)

export interface WaitingMessage {
  event: string
  type: string
  body: string
  tries: number
  giveUpInMs: number
}

/** In the order of events. */
export const selectWaiting = (db: Db, { org }: SvixLease, { limit, now }: { limit: number; now: Sql }) =>
  db.many<WaitingMessage>(sql`
    select event, type, body, tries, (extract(epoch from give_up_at - ${now}) * 1000)::float8 as "giveUpInMs"
    from svix_messages where org = ${org} and stopped_at is null order by event limit ${limit}`)

/** Deletes a message that Svix has. @returns whether the lease is still held */
export const deleteMessage = async (db: Db, lease: SvixLease, event: string, now: Sql): Promise<boolean> =>
  (await db.run(sql`
    with ${heldRow(APPLICATIONS, lease, now)}
    delete from svix_messages m using held where m.org = held.org and m.event = ${event}`)) > 0

interface Stop {
  event: string
  status: number | null
  problem: string | null
  now: Sql
}

/** Marks a message as not to be retried. @returns whether the lease is still held */
export const stopMessage = async (
  db: Db,
  lease: SvixLease,
  { event, status, problem, now }: Stop,
): Promise<boolean> =>
  (await db.run(sql`
    with ${heldRow(APPLICATIONS, lease, now)}
    update svix_messages m set stopped_at = ${now}, tries = tries + 1, last_status = ${status}, last_problem = ${problem}
    from held where m.org = held.org and m.event = ${event}`)) > 0

/** Stops messages whose retry window ended while they waited behind others. @returns how many */
export const stopExpired = (db: Db, lease: SvixLease, now: Sql): Promise<number> =>
  db.run(sql`
    with ${heldRow(APPLICATIONS, lease, now)}
    update svix_messages m set stopped_at = ${now}
    from held where m.org = held.org and m.stopped_at is null and m.give_up_at <= ${now}`)

interface Postponement {
  event: string
  inMs: number
  status: number | null
  problem: string | null
}

/** Releases the lease and sets when the next message is due. */
export function releaseSvixLease(
  db: Db,
  lease: SvixLease,
  { now, postponed }: { now: Sql; postponed?: Postponement },
): Promise<void> {
  const dueAt = postponed
    ? sql`${now} + make_interval(secs => ${postponed.inMs / 1000}::float8)`
    : sql`case when exists (select from svix_messages where org = ${lease.org} and stopped_at is null)
        then ${now} else 'infinity' end`
  return releaseLease(db, APPLICATIONS, lease, {
    set: sql`due_at = ${dueAt}`,
    before: postponed && ((tx) => postpone(tx, lease.org, postponed)),
  })
}

const postpone = (tx: Db, org: number, { event, status, problem }: Postponement): Promise<number> =>
  tx.run(sql`
    update svix_messages set tries = tries + 1, last_status = ${status}, last_problem = ${problem}
    where org = ${org} and event = ${event}`)

/** Moves times back after the clock was set back. @returns how many applications were moved */
export const moveSvixBack = (tx: Db, seconds: number): Promise<number> =>
  moveRowsBack(tx, APPLICATIONS, seconds)

export interface SvixCounts {
  waiting: number
  stopped: number
  forgotten: number
}

export const countMessages = (db: Db): Promise<SvixCounts> =>
  db.one<SvixCounts>(sql`
    select (select count(*) from (
        select from svix_messages where stopped_at is null limit ${DELIVERIES_COUNTED_MAX}) as w) as waiting,
      (select count(*) from (
        select from svix_messages where stopped_at is not null limit ${DELIVERIES_COUNTED_MAX}) as s) as stopped,
      (select count(*) from (${forgottenRows(APPLICATIONS, sql`now()`)}) as f) as forgotten`)

export const deleteStopped = (db: Db, { now, days, limit }: { now: Date; days: number; limit: number }) =>
  db.run(sql`
    delete from svix_messages where (org, event) in (
      select org, event from svix_messages where stopped_at < ${now}::timestamptz - make_interval(days => ${days}::int) limit ${limit})`)
