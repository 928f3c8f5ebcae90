// The outbox: one row per change, inserted by the statement or transaction that makes the change, and an entry
// for each consumer of events.
import sql, { empty, type Sql } from 'sql-template-tag'
import { EVENT_TYPES, type StoredEventType } from '../../contract/events.ts'
import type { Author } from '../base/caller.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { consumerOf } from './outbox-entries.ts'

/** A consumer claims whole entries, so a large batch of events is split into several. */
const ENTRY_EVENTS = 500

const names = (value: Sql): Sql =>
  sql`${value} is not null and (events.run is not null or ${value} is distinct from events.actor::text)`

/**
 * Expression over the inserted row of `events`: whether the consumer of notifications gets it. Record events count only
 * when they assign the record to a member: other writes then cost the consumer nothing.
 */
function isNotified(type: StoredEventType, { isQuiet }: Pick<Author, 'isQuiet'> = {}): Sql {
  if (isQuiet) return sql`false`
  if (type === 'workflow.failed') return sql`true`
  if (type !== 'record.created' && type !== 'record.updated') return sql`false`
  const value = type === 'record.created' ? sql`events.data->>a.slug` : sql`events.changes->a.slug->>'to'`
  return sql`exists (
    select from attributes a
    where a.org = events.org and a.obj = events.obj and a.type = 'member'
      and ${names(value)})`
}

interface EventKind {
  type: StoredEventType
  obj: number | null
  /** Set for the update that merges these records into this one. */
  mergedIds?: readonly string[]
}

/** A condition on `event_listeners`: internal event types get no entries, and quiet changes start no workflow. */
function wantedBy(type: StoredEventType, { isQuiet }: Author): Sql {
  if (!Object.hasOwn(EVENT_TYPES, type)) return sql` and false`
  return isQuiet ? sql` and listener <> 'workflows'` : empty
}

/** Replace the object in batches of change sets, because events of activities and comments have no object. */
export const ACTIVITIES = 0
export const COMMENTS = -1

function batchOf(type: StoredEventType, obj: number | null): number | undefined {
  if (obj !== null) return obj
  if (type.startsWith('activity.')) return ACTIVITIES
  return type.startsWith('comment.') ? COMMENTS : undefined
}

/** Stores the ids of the statement's record, activity and comment events, so that their change set can be undone. */
const changeSetBatch = (org: number, obj: number, changeSet: string): Sql => sql`
    change_set_batch as (
      insert into change_set_batches (org, change_set, obj, events)
      select ${org}::int, ${changeSet}::uuid, ${obj}::int, array_agg(id) from event having count(*) > 0),`

/**
 * The common table expressions `event` and `outbox_entry` of the writing statement. `source` is a FROM item with the
 * columns event (uuid), version and event_order (events/sequence.ts), subject (uuid), data (jsonb) and, for updates
 * of records, changes (jsonb): one event for each of its rows. Entries are only written for consumers with a
 * listener. A statement that does not see a listener started before the listener was added: its events count as
 * earlier.
 */
export function eventsFrom(author: Author, { type, obj, mergedIds }: EventKind, source: Sql): Sql {
  const { org, userId, keyId, run = null, workflow = null, restores, changeSet } = author
  const batchObj = batchOf(type, obj)
  const changes = type === 'record.updated' ? sql`changes` : sql`null::jsonb`
  const restored = restores && sql`, (${JSON.stringify(restores)}::jsonb ->> subject::text)::uuid`
  const merged = mergedIds && sql`, ${mergedIds}::uuid[]`
  return sql`
    event as (
      insert into events (org, id, tx, type, obj, subject, version, actor, api_key, run, workflow, data, changes${restored ? sql`, restores` : empty}${merged ? sql`, merged_ids` : empty})
      select ${org}, event, event_order, ${type}, ${obj}::int, subject, version, ${userId}::uuid, ${keyId}::uuid, ${run}::uuid,
        ${workflow}::uuid, data,
        ${changes}${restored ?? empty}${merged ?? empty}
      from ${source} returning id, ${isNotified(type, author)} as is_notified),${changeSet === undefined || batchObj === undefined ? empty : changeSetBatch(org, batchObj, changeSet)}
    outbox_entry as (
      insert into event_pending (org, reader, events)
      (select ${org}::int, reader, array_agg(id)
      from (select id, (row_number() over () - 1) / ${ENTRY_EVENTS}::int as share from event) as e cross join (
        select distinct ${consumerOf} as reader from event_listeners where org = ${org}${wantedBy(type, author)}) as l
      group by reader, share order by share)
      union all
      select ${org}::int, 'notifications', array_agg(id)
      from (select id, (row_number() over () - 1) / ${ENTRY_EVENTS}::int as share from event where is_notified) as e
      group by share)`
}

/**
 * eventsFrom for rows of different organizations, each with its author: `source` also has the columns org, obj, actor,
 * api_key and changes. At most ENTRY_EVENTS rows.
 */
export const eventsOfMany = (type: StoredEventType, source: Sql): Sql => sql`
  event as (
    insert into events (org, id, tx, type, obj, subject, version, actor, api_key, run, data, changes)
    select org, event, event_order, ${type}, obj, subject, version, actor, api_key, null, data, changes
    from ${source} returning org, id, ${isNotified(type)} as is_notified),
  outbox_entry as (
    insert into event_pending (org, reader, events)
    select e.org, l.reader, e.events
    from (select org, array_agg(id) as events from event group by org) as e cross join lateral (
      select distinct ${consumerOf} as reader from event_listeners where org = e.org offset 0) as l
    union all
    select org, 'notifications', array_agg(id) from event where is_notified group by org)`

interface NewEvent {
  id?: string
  type: StoredEventType
  subject: string
  data: unknown
}

/** Writes one event without a version, in the transaction of the change. `data`: fields of its body. */
export function recordEvent(
  tx: Db,
  author: Author,
  { id = newId(), type, subject, data }: NewEvent,
): Promise<number> {
  const row = sql`(
    select ${id}::uuid as event, null::int as version, current_event_order() as event_order,
      ${subject}::uuid as subject, ${JSON.stringify(data)}::jsonb as data) as change`
  return tx.run(sql`with ${eventsFrom(author, { type, obj: null }, row)} select from event`)
}
