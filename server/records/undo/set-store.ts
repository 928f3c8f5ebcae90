// Stores change sets: for each statement that wrote changes of a set, the events of the statement.
import sql from 'sql-template-tag'
import { UNDO_HOURS } from '../../../contract/limits.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { inBatches } from '../../jobs/jobs.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { isKept } from '../../model/objects/trash-rows.ts'
import type { Changes } from './change-store.ts'

export interface SetRef {
  model: ObjectModel
  id: string
}

export interface SetBatch {
  id: string
  events: string[]
  isExpired: boolean
  /** Number of batches of the set, including this one. */
  count: number
}

/** The last batch that is not undone yet; a second request waits for its lock. */
export const lockLastBatch = (tx: Db, { model: { org, obj }, id }: SetRef): Promise<SetBatch | undefined> =>
  tx.maybeOne<SetBatch>(sql`
    select b.id, b.events,
      uuid_extract_timestamp(b.id) < now() - make_interval(hours => ${UNDO_HOURS}) as "isExpired",
      (select count(*)::int from change_set_batches c
       where c.org = ${org} and c.obj = ${obj} and c.change_set = ${id}) as count
    from change_set_batches b where b.org = ${org} and b.obj = ${obj} and b.change_set = ${id}
    order by b.id desc limit 1 for update of b`)

/** The objects whose records a change set wrote, the last written first, with their number of remaining batches. */
export const selectSetObjects = (db: Db, org: number, id: string) =>
  db.many<{ objectId: string; batches: number }>(sql`
    select o.id as "objectId", count(*)::int as batches
    from change_set_batches b join objects o on o.org = b.org and o.obj = b.obj and o.deleted_at is null
    where b.org = ${org} and b.change_set = ${id} group by o.id order by max(b.id::text) desc`)

export const deleteBatch = (tx: Db, { model: { org }, id }: SetRef, batch: string) =>
  tx.run(sql`delete from change_set_batches where org = ${org} and change_set = ${id} and id = ${batch}`)

export interface SetChange {
  event: string
  type: 'record.created' | 'record.updated' | 'record.deleted'
  recordId: string
  version: number
  /** null: the record was created or deleted. */
  changes: Changes | null
  /** The record after the change. */
  data: Readonly<Record<string, unknown>>
}

interface Row extends Pick<SetChange, 'event' | 'type' | 'recordId' | 'version'> {
  changes: string
  data: string
}

/** The changes of the events, oldest first; without merges and erased records. */
export async function selectSetChanges(
  tx: Db,
  { org, obj }: Pick<ObjectModel, 'org' | 'obj'>,
  events: readonly string[],
): Promise<SetChange[]> {
  const rows = await tx.many<Row>(sql`
    select id as event, type, subject as "recordId", coalesce(version, 0) as version,
      coalesce(changes, '{}')::text as changes, data::text as data
    from events where org = ${org} and obj = ${obj} and id = any(${events}::uuid[]) and not is_erased
      and type in ('record.created', 'record.updated', 'record.deleted') and merged_ids is null order by id`)
  return rows.map(({ changes, data, ...row }) => ({
    ...row,
    changes: row.type === 'record.updated' ? (parseJson(changes) as Changes) : null,
    data: parseJson(data) as Record<string, unknown>,
  }))
}

/**
 * Whether the events of a batch were written by the transaction of a merge, or of its undo. Such a batch is not undone
 * separately: the winner would lose values while the losers stay in the trash, or get values of records that return.
 */
export const isOfMerge = async (
  tx: Db,
  org: number,
  { events }: Pick<SetBatch, 'events'>,
): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from events e where e.org = ${org} and e.id = any(${events}::uuid[]) and (
      exists (
        select from events m
        where m.org = e.org and m.type = 'record.updated' and m.tx = e.tx and m.merged_ids is not null)
      or exists (
        select from events m
        where m.org = e.org and m.type = 'record.created' and m.tx = e.tx and m.restores is not null))
    limit 1`)) !== undefined

/** The deleted records that cannot return: they were merged into others, or are no longer in the trash. */
export async function selectNotInTrash(
  tx: Db,
  { org, obj }: ObjectModel,
  ids: readonly string[],
): Promise<{ merged: string[]; purged: string[] }> {
  const rows = await tx.many<{ id: string; isMerged: boolean }>(sql`
    select d.id, coalesce(t.merged_into, m.winner) is not null as "isMerged"
    from unnest(${ids}::uuid[]) as d(id)
    left join trash t on t.org = ${org} and t.id = d.id and ${isKept}
    left join merged_records m on m.org = ${org} and m.obj = ${obj} and m.id = d.id
    where (t.id is null or t.merged_into is not null)
      and not exists (select from records r where r.org = ${org} and r.obj = ${obj} and r.id = d.id)`)
  const idsWhere = (isMerged: boolean) => rows.filter((row) => row.isMerged === isMerged).map(({ id }) => id)
  return { merged: idsWhere(true), purged: idsWhere(false) }
}

/** The records among the ids that other records refer to. */
export async function selectReferred(
  tx: Db,
  { org, obj }: ObjectModel,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.many<{ target: string }>(sql`
    select distinct l.target from attributes a
    join objects o on o.org = a.org and o.obj = a.obj and o.deleted_at is null
    join links l on l.org = a.org and l.attr = a.attr and l.target = any(${ids}::uuid[])
    where a.org = ${org} and a.target_obj = ${obj} and a.deleted_at is null and l.id <> all(${ids}::uuid[])`)
  return new Set(rows.map(({ target }) => target))
}

const BATCH = 1000

/** Deletes change sets that can no longer be undone. */
export async function forgetChangeSets({ db }: { db: Db }, signal: AbortSignal, now: Date): Promise<void> {
  await inBatches(signal, () =>
    db.run(sql`
      delete from change_set_batches where ctid = any(array(
        select ctid from change_set_batches
        where uuid_extract_timestamp(id) < ${now}::timestamptz - make_interval(hours => ${UNDO_HOURS})
        limit ${BATCH}))`),
  )
}
