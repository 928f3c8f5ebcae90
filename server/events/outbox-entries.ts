// Outbox entries: events that a consumer has not processed yet. Each consumer has its own entries, and deletes them
// when it claims them.
import sql, { type Sql } from 'sql-template-tag'
import type { Consumer } from '../base/consumer.ts'
import type { Db } from '../db/pool.ts'

type EventListener = Exclude<Consumer, 'notifications'>

/** The consumer of a row of event_listeners. The listeners are 'webhooks', 'svix' and 'workflows'. */
export const consumerOf: Sql = sql`case listener when 'workflows' then 'workflows' else 'webhooks' end`

export interface OutboxEntry {
  org: number
  /** Ids follow the order in which the changes of one record were written. */
  id: number
  events: string[]
}

/** Limits of one claim. */
export interface Share {
  orgs: number
  /** Entries of each organization. */
  entries: number
  /** Events of each organization; a larger entry is claimed without others. */
  events: number
}

/** Consumers that have entries. */
export const selectWaitingConsumers = async (db: Db): Promise<Consumer[]> =>
  (
    await db.many<{ reader: Consumer }>(sql`
      select r.reader from (values ('webhooks'), ('workflows'), ('notifications')) as r(reader)
      where exists (select from event_pending p where p.reader = r.reader)`)
  ).map(({ reader }) => reader)

export interface OutboxClaim {
  consumer: Consumer
  /** The organization that was served last; the claim starts after it. */
  after: number
}

/**
 * Common table expressions, behind `with recursive`: they delete a consumer's entries, the oldest of each
 * organization, so that a flood in one does not delay the others. `entry` has the columns of OutboxEntry. Entries that
 * another process has locked are skipped.
 */
export const claimedEntries = (
  { consumer, after }: OutboxClaim,
  { orgs, entries, events }: Share,
): Sql => sql`
    waiting(org, place) as (
      (select org, 1 from event_pending where reader = ${consumer} and org > ${after} order by org limit 1)
      union all
      select (select p.org from event_pending p where p.reader = ${consumer} and p.org > w.org order by p.org limit 1), place + 1
      from waiting w where w.org is not null and place < ${orgs}),
    taken as (
      select m.org, m.id from waiting w cross join lateral (
        select locked.org, locked.id,
          sum(cardinality(locked.events)) over (order by locked.id) - cardinality(locked.events) as before
        from (select p.org, p.id, p.events from event_pending p where p.reader = ${consumer} and p.org = w.org
              order by p.id limit ${entries} for update skip locked) as locked) as m
      where w.org is not null and (m.before < ${events})),
    entry as (
      delete from event_pending p using taken where p.reader = ${consumer} and p.org = taken.org and p.id = taken.id
      returning p.org, p.id, p.events)`

export const claimEntries = (tx: Db, claim: OutboxClaim, share: Share): Promise<OutboxEntry[]> =>
  tx.many<OutboxEntry>(sql`with recursive ${claimedEntries(claim, share)} select org, id, events from entry`)

/**
 * FROM item `e`: the events of the rows `p(org, id)`. `offset 0` keeps PostgreSQL from reversing the join: each row
 * is one index lookup, however many there are.
 */
export const eventsOf = (p: Sql): Sql => sql`
  ${p} cross join lateral (select * from events where org = p.org and id = p.id offset 0) as e`

/** FROM item `e`: the events of entries. */
export function eventsOfEntries(entries: readonly OutboxEntry[]): Sql {
  const orgs = entries.flatMap(({ org, events }) => events.map(() => org))
  const ids = entries.flatMap(({ events }) => events)
  return eventsOf(sql`unnest(${orgs}::int[], ${ids}::uuid[]) as p(org, id)`)
}

/**
 * New events of the organization get entries for `listener`. The row is locked, so transactions that add or
 * remove a listener wait for each other.
 */
export const addListener = (tx: Db, org: number, listener: EventListener): Promise<number> =>
  tx.run(sql`
    insert into event_listeners (org, listener) values (${org}, ${listener})
    on conflict (org, listener) do update set listener = excluded.listener`)

export const lockListener = (tx: Db, org: number, listener: EventListener): Promise<number> =>
  tx.run(sql`select from event_listeners where org = ${org} and listener = ${listener} for update`)

/** Runs in the transaction that locked the listener. */
export const removeListener = (tx: Db, org: number, listener: EventListener): Promise<number> =>
  tx.run(sql`delete from event_listeners where org = ${org} and listener = ${listener}`)
