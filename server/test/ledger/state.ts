// What the database holds: between two lives, while the rest is delivered, and at the end.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { EventType } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import { countStuckDeliveries } from '../../webhooks/delivery/sweeper-store.ts'
import type { MirrorRecord } from '../mirror/mirror.ts'
import type { Book, WrittenEvent } from './accounts.ts'

/** Statements of a killed process may still run: queues are locked in the order in which every transaction does. */
const lockQueues = (tx: Db) => tx.run(sql`select from webhook_lanes order by org, endpoint for update`)

/** As if the 30 s by which a lease outlives its holder were over. Only while no process lives. */
export const endLeases = (db: Db) =>
  db.transaction(async (tx) => {
    await lockQueues(tx)
    await tx.run(sql`update webhook_lanes set leased_until = '-infinity'`)
  })

/** Queues that no worker would ever lease: the sweeper repairs them, but there should be none. */
export const countForgotten = async (db: Db): Promise<number> =>
  (await countStuckDeliveries(db, sql`now() + interval '1 hour'`)).forgottenQueues

/** Retries are due now: as if the time until then had passed. Queues before deliveries, as every transaction locks them. */
const hasten = (db: Db) =>
  db.transaction(async (tx) => {
    await lockQueues(tx)
    await tx.run(sql`
      update webhook_deliveries set next_attempt_at = now() where state = 'pending' and next_attempt_at > now()`)
    await tx.run(sql`
      update webhook_lanes l set due_at = least(due_at, now()) where exists (
        select from webhook_deliveries d where d.org = l.org and d.endpoint = l.endpoint and d.state = 'pending')`)
  })

/** @returns outbox entries and deliveries that are left */
async function whatIsLeft(db: Db): Promise<{ entries: number; pending: number }> {
  await hasten(db)
  return db.one(sql`
    select (select count(*) from event_pending) as entries,
      (select count(*) from webhook_deliveries where state = 'pending') as pending`)
}

const selectQueues = (db: Db) =>
  db.many<Record<string, unknown>>(sql`
    select l.endpoint, l.concurrency, l.due_at::text, l.not_before::text, l.leased_until::text, now()::text,
      count(*) as pending, max(d.attempts) as attempts, max(d.last_failure) as failure
    from webhook_lanes l join webhook_deliveries d on d.org = l.org and d.endpoint = l.endpoint
    where d.state = 'pending' group by l.org, l.endpoint`)

/** @throws with the queues that have deliveries left after `timeout` ms */
export async function deliverEverything(db: Db, timeout: number): Promise<void> {
  try {
    await expect.poll(() => whatIsLeft(db), { timeout, interval: 250 }).toEqual({ entries: 0, pending: 0 })
  } catch (error) {
    throw new Error(`Queues are left: ${JSON.stringify(await selectQueues(db))}`, { cause: error })
  }
}

interface StoredEvent extends WrittenEvent {
  org: number
  type: WrittenEvent['type'] & EventType
  changed: string[] | null
  /** Of the record, by its slug; null: it is no event of a record. */
  object: string | null
}

export const selectEvents = (db: Db) =>
  db.many<StoredEvent>(sql`
    select org, id, type, subject, version, data->>'name' as name, changes->'name'->>'from' as "nameBefore",
      (type = 'record.updated' and changes = '{}') as "isMerge",
      (select array_agg(slug) from jsonb_object_keys(changes) as slug) as changed,
      (select slug from objects o where o.org = e.org and o.obj = e.obj) as object
    from events e order by tx, id`)

/** Of the object that clients write. */
export const WRITTEN = 'companies'

/** isWhole: it was never in the trash, and nothing was merged into it. */
export const selectRecords = (db: Db) =>
  db.many<Book['records'][number] & { org: number; isWhole: boolean }>(sql`
    select r.org, r.id, r.data->>'name' as name, r.version, not exists (
      select from events e where e.org = r.org and e.subject = r.id
        and (e.type = 'record.created' and e.version > 1 or e.changes = '{}')) as "isWhole"
    from records r join objects o on o.org = r.org and o.obj = r.obj where o.slug = ${WRITTEN}`)

/** What clients may read of all records of an organization, in the order of a mirror. */
export const selectShown = (db: Db, org: number) =>
  db.many<MirrorRecord>(sql`
    select r.id, o.id as "objectId", r.version, r.data from records r join objects o on o.org = r.org and o.obj = r.obj
    where r.org = ${org} order by r.id`)

export const selectTrash = async (db: Db): Promise<string[]> => {
  const rows = await db.many<{ id: string }>(sql`
    select t.id from trash t join objects o on o.org = t.org and o.obj = t.obj where o.slug = ${WRITTEN}`)
  return rows.map(({ id }) => id)
}

/** Records that differ from what their last event says, and unique values that are not of their record. */
export const countDisagreements = (db: Db) =>
  db.one<{ records: number; uniques: number }>(sql`
    select
      (select count(*) from records r where r.data is distinct from (
        select e.data from events e where e.org = r.org and e.subject = r.id order by e.version desc limit 1)) as records,
      (select count(*) from (select id, data->>'domain' as value from records where data ? 'domain') as r
        full join uniques u on u.id = r.id and u.value = r.value where r.id is null or u.id is null) as uniques`)

export interface StoredDelivery {
  endpoint: string
  event: string
  state: string
}

export const selectDeliveries = (db: Db) =>
  db.many<StoredDelivery>(sql`select endpoint, event, state from webhook_deliveries`)
