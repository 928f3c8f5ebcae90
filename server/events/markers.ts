// Markers of events that are still to be handed on: each reader has its own, and takes them away.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** Who reads markers: whatever delivers webhooks, ourselves or Svix; and the triggers of workflows. */
export type Reader = 'webhooks' | 'workflows'

/** The reader of a row of event_listeners; those are 'webhooks', 'svix' and 'workflows'. */
export const readerOf: Sql = sql`case listener when 'workflows' then 'workflows' else 'webhooks' end`

export interface ClaimedMarker {
  org: number
  /** In the order in which changes of one record were written. */
  id: number
  events: string[]
}

/** How much is claimed at once. */
export interface Share {
  orgs: number
  /** Of each organization. */
  markers: number
  /** Of each organization; a marker of more than that is taken alone. */
  events: number
}

/** Whose markers are there. */
export const selectMarked = async (db: Db): Promise<Reader[]> =>
  (
    await db.many<{ reader: Reader }>(sql`
      select r.reader from (values ('webhooks'), ('workflows')) as r(reader)
      where exists (select from event_pending p where p.reader = r.reader)`)
  ).map(({ reader }) => reader)

/**
 * Takes a reader's markers away, the oldest of each organization: a flood in one does not keep the others waiting.
 * Markers that another node is at are left to it.
 * @param after the organization that was served last
 */
export const claimMarkers = (
  tx: Db,
  { reader, after }: { reader: Reader; after: number },
  { orgs, markers, events }: Share,
): Promise<ClaimedMarker[]> =>
  tx.many<ClaimedMarker>(sql`
    with recursive waiting(org, place) as (
      (select org, 1 from event_pending where reader = ${reader} and org > ${after} order by org limit 1)
      union all
      select (select p.org from event_pending p where p.reader = ${reader} and p.org > w.org order by p.org limit 1), place + 1
      from waiting w where w.org is not null and place < ${orgs}),
    taken as (
      select m.org, m.id from waiting w cross join lateral (
        select locked.org, locked.id,
          sum(cardinality(locked.events)) over (order by locked.id) - cardinality(locked.events) as before
        from (select p.org, p.id, p.events from event_pending p where p.reader = ${reader} and p.org = w.org
              order by p.id limit ${markers} for update skip locked) as locked) as m
      where w.org is not null and (m.before < ${events}))
    delete from event_pending p using taken where p.reader = ${reader} and p.org = taken.org and p.id = taken.id
    returning p.org, p.id, p.events`)

/**
 * FROM item `e`: the events of the rows `p(org, id)`. Fenced, so that PostgreSQL does not join the other way round:
 * each row is one step down the index, however many there are.
 */
export const eventsOf = (p: Sql): Sql => sql`
  ${p} cross join lateral (select * from events where org = p.org and id = p.id offset 0) as e`

/** FROM item `e`: the events of markers. */
export function markedEvents(markers: readonly ClaimedMarker[]): Sql {
  const orgs = markers.flatMap(({ org, events }) => events.map(() => org))
  const ids = markers.flatMap(({ events }) => events)
  return eventsOf(sql`unnest(${orgs}::int[], ${ids}::uuid[]) as p(org, id)`)
}

/**
 * From here on the organization's events are handed on to `listener`. The row is locked: who begins or stops to
 * listen waits for others who do.
 */
export const addListener = (tx: Db, org: number, listener: Reader): Promise<number> =>
  tx.run(sql`
    insert into event_listeners (org, listener) values (${org}, ${listener})
    on conflict (org, listener) do update set listener = excluded.listener`)

export const lockListener = (tx: Db, org: number, listener: Reader): Promise<number> =>
  tx.run(sql`select from event_listeners where org = ${org} and listener = ${listener} for update`)

/** In the transaction that locked the listener. */
export const removeListener = (tx: Db, org: number, listener: Reader): Promise<number> =>
  tx.run(sql`delete from event_listeners where org = ${org} and listener = ${listener}`)
