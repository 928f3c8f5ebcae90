// The state of the database: between two lives of the service, during the last deliveries, and at the end.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { EventType } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import { countStuckDeliveries } from '../../webhooks/delivery/sweeper-store.ts'
import type { MirrorRecord } from '../mirror/mirror.ts'
import type { Book, WrittenEvent } from './accounts.ts'

/** Statements of a killed process may still run, so this locks queues in the same order as all transactions. */
const lockQueues = (tx: Db) => tx.run(sql`select from webhook_lanes order by org, endpoint for update`)

/** Ends the leases of killed processes, which would take up to 30 s. Call it only while no process runs. */
export const endLeases = (db: Db) =>
  db.transaction(async (tx) => {
    await lockQueues(tx)
    await tx.run(sql`update webhook_lanes set leased_until = '-infinity'`)
  })

/** Queues the jobs of killed processes again, which would take up to 90 s. Call it only while no process runs. */
export const releaseJobs = (db: Db) =>
  db.run(sql`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`)

/** The number of queues that no worker would lease. The sweeper repairs such queues, but there should be none. */
export const countForgotten = async (db: Db): Promise<number> =>
  (await countStuckDeliveries(db, sql`now() + interval '1 hour'`)).forgottenQueues

/** Makes all retries due now. Locks queues before deliveries, as all transactions do. */
const hasten = (db: Db) =>
  db.transaction(async (tx) => {
    await lockQueues(tx)
    await tx.run(sql`
      update webhook_deliveries set next_attempt_at = now() where state = 'pending' and next_attempt_at > now()`)
    await tx.run(sql`
      update webhook_lanes l set due_at = least(due_at, now()) where exists (
        select from webhook_deliveries d where d.org = l.org and d.endpoint = l.endpoint and d.state = 'pending')`)
  })

/** @returns the number of pending outbox entries and deliveries */
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

/** @throws an error with the queues that still have deliveries after `timeout` ms */
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
  /** The slug of the record's object; null: the event is not about a record. */
  object: string | null
}

export const selectEvents = (db: Db) =>
  db.many<StoredEvent>(sql`
    select org, id, type, subject, version, data->>'name' as name, changes->'name'->>'from' as "nameBefore",
      (type = 'record.updated' and changes = '{}') as "isMerge",
      (select array_agg(slug) from jsonb_object_keys(changes) as slug) as changed,
      (select slug from objects o where o.org = e.org and o.obj = e.obj) as object
    from events e order by tx, id`)

/** The slug of the object that clients write. */
export const WRITTEN = 'companies'

/** isWhole: the record was never in the trash, and no record was merged into it. */
export const selectRecords = (db: Db) =>
  db.many<Book['records'][number] & { org: number; isWhole: boolean }>(sql`
    select r.org, r.id, r.data->>'name' as name, r.version, not exists (
      select from events e where e.org = r.org and e.subject = r.id
        and (e.type = 'record.created' and e.version > 1 or e.changes = '{}')) as "isWhole"
    from records r join objects o on o.org = r.org and o.obj = r.obj where o.slug = ${WRITTEN}`)

/** All records of an organization with the values that clients may read, in the order of a mirror. */
export const selectShown = (db: Db, org: number) =>
  db.many<MirrorRecord>(sql`
    select r.id, o.id as "objectId", r.version, r.data from records r join objects o on o.org = r.org and o.obj = r.obj
    where r.org = ${org} order by r.id`)

export const selectTrash = async (db: Db): Promise<string[]> => {
  const rows = await db.many<{ id: string }>(sql`
    select t.id from trash t join objects o on o.org = t.org and o.obj = t.obj where o.slug = ${WRITTEN}`)
  return rows.map(({ id }) => id)
}

/** The numbers of records that differ from their last event, and of unique values that differ from their record. */
export const countDisagreements = (db: Db) =>
  db.one<{ records: number; uniques: number }>(sql`
    select
      (select count(*) from records r where r.data is distinct from (
        select e.data from events e where e.org = r.org and e.subject = r.id order by e.version desc limit 1)) as records,
      (select count(*) from (select id, data->>'domain' as value from records where data ? 'domain') as r
        full join uniques u on u.id = r.id and u.value = r.value where r.id is null or u.id is null) as uniques`)

/** Records and activities that do not have each version from the first to the last in exactly one event. */
export const versionGaps = (db: Db, org: number) =>
  db.many<{ subject: string; versions: number[] }>(sql`
    select subject, array_agg(version order by version) as versions from events
    where org = ${org} and version is not null group by subject
    having count(*) <> max(version) or count(distinct version) <> count(*)`)

export interface StoredDelivery {
  endpoint: string
  event: string
  state: string
}

export const selectDeliveries = (db: Db) =>
  db.many<StoredDelivery>(sql`select endpoint, event, state from webhook_deliveries`)
