// What the database says: between two lives, while the rest is delivered, and at the end.
import sql from 'sql-template-tag'
import type { EventType } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import { countStuck } from '../../webhooks/sweeper-store.ts'
import type { Book, WrittenEvent } from './accounts.ts'

/** As if the 30 s by which a lease outlives its holder were over. Only while no process lives. */
export const endLeases = (db: Db) => db.run(sql`update webhook_lanes set leased_until = '-infinity'`)

/** Deliveries that nobody would ever come to look at: they are repaired by the sweeper, but should not come up. */
export const countForgotten = async (db: Db): Promise<number> =>
  (await countStuck(db, sql`now() + interval '1 hour'`)).forgottenLanes

/** Retries are due now: as if the time until then had passed. Lanes before deliveries, as everybody locks them. */
const hasten = (db: Db) =>
  db.transaction(async (tx) => {
    await tx.run(sql`select from webhook_lanes order by org, endpoint for update`)
    await tx.run(sql`
      update webhook_deliveries set next_attempt_at = now() where state = 'pending' and next_attempt_at > now()`)
    await tx.run(sql`
      update webhook_lanes l set due_at = least(due_at, now()) where exists (
        select from webhook_deliveries d where d.org = l.org and d.endpoint = l.endpoint and d.state = 'pending')`)
  })

/** @returns what is still to be handed on and to be sent */
export async function whatIsLeft(db: Db): Promise<{ markers: number; pending: number }> {
  await hasten(db)
  return db.one(sql`
    select (select count(*) from event_pending) as markers,
      (select count(*) from webhook_deliveries where state = 'pending') as pending`)
}

interface StoredEvent extends WrittenEvent {
  org: number
  type: WrittenEvent['type'] & EventType
  changed: string[] | null
}

export const selectEvents = (db: Db) =>
  db.many<StoredEvent>(sql`
    select org, id, type, subject, data->>'name' as name, changes->'name'->>'from' as "nameBefore",
      (select array_agg(slug) from jsonb_object_keys(changes) as slug) as changed
    from events order by id`)

export const selectRecords = (db: Db) =>
  db.many<Book['records'][number]>(sql`select id, data->>'name' as name from records`)

/** Records that differ from what their last event says, and unique values that are not of their record. */
export const countDisagreements = (db: Db) =>
  db.one<{ records: number; uniques: number }>(sql`
    select
      (select count(*) from records r where r.data is distinct from (
        select e.data from events e where e.org = r.org and e.subject = r.id order by e.id desc limit 1)) as records,
      (select count(*) from (select id, data->>'domain' as value from records) as r
        full join uniques u on u.id = r.id and u.value = r.value where r.id is null or u.id is null) as uniques`)

export interface StoredDelivery {
  endpoint: string
  event: string
  state: string
}

export const selectDeliveries = (db: Db) =>
  db.many<StoredDelivery>(sql`select endpoint, event, state from webhook_deliveries`)
