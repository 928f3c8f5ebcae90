// Selects the workflows that an event may start, and the data of the event.
import sql, { type Sql } from 'sql-template-tag'
import type { EventType } from '../../../contract/events.ts'
import { EVENT_TRIGGERS } from '../../../contract/workflow-states.ts'
import type { Db } from '../../db/pool.ts'
import {
  addListener,
  eventsOf,
  eventsOfEntries,
  type OutboxEntry,
  removeListener,
} from '../../events/outbox-entries.ts'

/** An event and an enabled workflow that waits for such events. */
export interface TriggerCandidate {
  org: number
  event: string
  type: EventType
  /** The record or activity. */
  subject: string
  workflow: string
  version: number
  workflowName: string
  /** The object of the workflow; null: none, or it is deleted and the event is not record.deleted. */
  objectId: string | null
  country: string
  currency: string
  /** The run whose step made the change, with its own causes below. */
  causeRun: string | null
  causeWorkflow: string | null
  causeSubject: string | null
  depth: number | null
  /** JSON text */
  chain: string | null
  /** The time of the database, read while no other transaction starts runs for events. */
  now: string
}

/** Whether an activity is linked to a record of the workflow's object. */
const isLinked: Sql = sql`exists (
  select from jsonb_array_elements(e.data->'linkedRecords') as l join objects b on b.org = w.org and b.obj = w.obj
  where l->>'objectId' = b.id::text)`

/** Does not read the data of events, because most events start no run. */
export const selectCandidates = (
  tx: Db,
  entries: readonly OutboxEntry[],
  now: Sql,
): Promise<TriggerCandidate[]> =>
  tx.many<TriggerCandidate>(sql`
    select e.org, e.id as event, e.type, e.subject, w.id as workflow, w.version, w.name as "workflowName", b.id as "objectId",
      o.country, o.currency, c.id as "causeRun", c.workflow as "causeWorkflow", c.subject as "causeSubject", c.depth,
      c.chain::text as chain, ${now} as now
    from ${eventsOfEntries(entries)}
    join workflows w on w.org = e.org and w.is_enabled and w.trigger = replace(e.type, '.', '/')
      and case when e.type like 'record.%' then w.obj = e.obj else w.obj is null or ${isLinked} end
      and (w.watch is null or e.type <> 'record.updated' or e.changes ?| w.watch)
    join organizations o on o.org = e.org
    left join objects b on b.org = w.org and b.obj = w.obj and (b.deleted_at is null or e.type = 'record.deleted')
    left join workflow_runs c on c.org = e.org and c.id = e.run
    order by w.created_at, w.id`)

export interface EventData {
  id: string
  /** JSON text */
  data: string
  changes: string | null
  /** The creator of the record; null: unknown, or the record was deleted permanently. */
  createdBy: string | null
}

export const selectEventData = (
  tx: Db,
  events: readonly { org: number; event: string }[],
): Promise<EventData[]> => {
  const rows = sql`unnest(${events.map(({ org }) => org)}::int[], ${events.map(({ event }) => event)}::uuid[]) as p(org, id)`
  return tx.many<EventData>(sql`
    select e.id, e.data::text as data, e.changes::text as changes, coalesce(
      (select r.created_by from records r where r.org = e.org and r.obj = e.obj and r.id = e.subject),
      (select t.created_by from trash t where t.org = e.org and t.id = e.subject)) as "createdBy"
    from ${eventsOf(rows)}`)
}

/** Allows one node at a time, so that runs of a record are created in the order of its changes. */
const TRIGGER_LOCK = 7402155443311n
export const lockTriggers = (tx: Db) => tx.run(sql`select pg_advisory_xact_lock(${TRIGGER_LOCK}::bigint)`)

/**
 * Adds the listener if an enabled workflow waits for events, and removes it otherwise. Call it at the end of a
 * transaction that enabled, disabled, changed or deleted workflows: concurrent transactions wait for each other here,
 * and then see each other's changes.
 */
export async function syncListener(tx: Db, org: number): Promise<void> {
  await addListener(tx, org, 'workflows')
  const waiting = await tx.maybeOne(sql`
    select from workflows where org = ${org} and is_enabled and trigger = any(${[...EVENT_TRIGGERS]}) limit 1`)
  if (!waiting) await removeListener(tx, org, 'workflows')
}
