// Removes the data of a deleted object: records with their unique values and references, links of activities,
// attributes, and the row itself. Records go to the trash unless the deletion is permanent. Responses already show none
// of this data. Each record gets a deletion event with its last data, and each activity that loses links gets an update
// event. The purge can stop at any point, and can run on several nodes.
import { setTimeout as delay } from 'node:timers/promises'
import sql, { empty } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import { hasOlderTransactions } from '../../db/older-transactions.ts'
import type { Db } from '../../db/pool.ts'
import { eventsFrom } from '../../events/outbox.ts'
import { lastEvent, lastVersion } from '../../events/sequence.ts'
import type { DeletedRecords, DeletionHooks } from './deleted-records.ts'
import {
  deleteDerivedRows,
  deleteIndexRows,
  deleteTrashedAttributes,
  deleteTrashRows,
} from './derived-rows.ts'
import { keptRecords } from './kept-records.ts'
import { recordsByIds } from './record-lookup.ts'
import { isObjectKept } from './trash-store.ts'

export interface DeletedObject {
  org: number
  obj: number
}

const isThis = ({ org, obj }: DeletedObject) => sql`org = ${org} and obj = ${obj}`

/** Stores the time at which the deletion is known to be committed: all later transactions see it. */
const sealDeletion = (db: Db, object: DeletedObject) =>
  db.run(sql`
    update objects set deleted_at = clock_timestamp() where ${isThis(object)} and deleted_at = 'infinity'`)

const sealedAt = (object: DeletedObject) => sql`(select deleted_at from objects where ${isThis(object)})`

const isRemoved = async (db: Db, object: DeletedObject) =>
  (await db.maybeOne(sql`select obj from objects where ${isThis(object)}`)) === undefined

/** Runs one batch. @returns undefined if another node runs a batch or has finished */
const runBatch = <Result>(db: Db, object: DeletedObject, batch: (tx: Db) => Promise<Result>) =>
  db.transaction(async (tx) => {
    const mine = await tx.run(sql`
      select from objects where ${isThis(object)} and deleted_at is not null for update skip locked`)
    return mine === 0 ? undefined : batch(tx)
  })

/** Number of records that one transaction deletes, small enough to keep locks short. */
export const RECORD_BATCH = 500
/** Pause between two batches, for the requests of others. */
const PAUSE_MS = 20

/** The author of the object's deletion, who is also the author of the deletion of its records. */
async function authorOf(tx: Db, object: DeletedObject): Promise<Author> {
  const found = await tx.maybeOne<Pick<Author, 'userId' | 'keyId'>>(sql`
    select actor as "userId", api_key as "keyId" from deleted_objects where ${isThis(object)}`)
  return { org: object.org, userId: null, keyId: null, ...found }
}

interface Going {
  ids: readonly string[]
  /** Whether the records are deleted permanently instead of being kept in the trash. */
  isPermanent: boolean
}

const keptWithUniques = (author: Author, object: DeletedObject, ids: readonly string[]) => sql`
  freed as (delete from uniques where org = ${object.org} and id = any(${ids}::uuid[]) returning attr, value, id),
  ${keptRecords(author, object, ids)},`

const deleteAnnounced = (tx: Db, author: Author, object: DeletedObject, { ids, isPermanent }: Going) =>
  tx.run(sql`
    with deleted as (
      delete from records c using ${recordsByIds(object, sql`${ids}::uuid[]`)}
      where c.org = ${object.org} and c.ctid = r.place
      returning c.id, c.data, c.comparable, c.created_by, ${lastVersion(sql`c`)}),
    ${isPermanent ? empty : keptWithUniques(author, object, ids)}
    ${eventsFrom(
      author,
      { type: 'record.deleted', obj: object.obj },
      sql`(
        select ${lastEvent(sql`deleted`)}, deleted.id as subject, with_renamed_options(deleted.data - o.hidden_slugs, coalesce(o.renaming, '{}')) as data
        from deleted join objects o on o.org = ${object.org} and o.obj = ${object.obj}) as change`,
    )}
    select from event`)

async function deleteRecordBatch(tx: Db, object: DeletedObject, hooks: DeletionHooks): Promise<number> {
  // The strongest lock: a transaction that links one of the records commits first, and its link is visible here.
  const rows = await tx.many<{ id: string }>(sql`
    select id from records where ${isThis(object)} order by id limit ${RECORD_BATCH} for update`)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  const author = await authorOf(tx, object)
  const deleted: DeletedRecords = { ids, isPermanent: !(await isObjectKept(tx, object)) }
  for (const hook of hooks.beforeDeletion) await hook(tx, author, deleted)
  await deleteAnnounced(tx, author, object, deleted)
  return ids.length
}

const unlessKept = async (
  tx: Db,
  object: DeletedObject,
  batch: (tx: Db, object: DeletedObject) => Promise<number>,
): Promise<number> => ((await isObjectKept(tx, object)) ? 0 : batch(tx, object))

const selectAttrs = async (db: Db, object: DeletedObject) =>
  (await db.many<{ attr: number }>(sql`select attr from attributes where ${isThis(object)}`)).map(
    ({ attr }) => attr,
  )

/** Whether workflows have not read the deletions yet. Their triggers need the object's attributes until then. */
const isAwaited = async (tx: Db, object: DeletedObject) =>
  (await tx.maybeOne(sql`
    select from event_pending p cross join lateral unnest(p.events) as m (id)
    join events e on e.org = p.org and e.id = m.id
    where p.org = ${object.org} and p.reader = 'workflows' and e.obj = ${object.obj} limit 1`)) !== undefined

/** Only deleted attributes, and attributes of deleted objects, still refer to the object. */
async function deleteRows(tx: Db, object: DeletedObject): Promise<void> {
  if (await isAwaited(tx, object)) return
  await tx.run(sql`
    update attributes set target_obj = null where org = ${object.org} and target_obj = ${object.obj}`)
  await tx.run(sql`delete from attributes where ${isThis(object)}`)
  await tx.run(sql`delete from objects where ${isThis(object)}`)
}

export interface PurgeContext {
  db: Db
  hooks: DeletionHooks
}

/**
 * Removes the data of a deleted object in transactions of at most 500 records or 5,000 other rows.
 * @returns whether nothing is left: false while transactions from before the deletion are open or workflows have not
 * read the deletions, while another node runs a batch, or after `signal` aborted
 */
export async function purgeObject(
  { db, hooks }: PurgeContext,
  object: DeletedObject,
  signal: AbortSignal,
): Promise<boolean> {
  await sealDeletion(db, object)
  if (await hasOlderTransactions(db, sealedAt(object))) return false
  const attrs = await selectAttrs(db, object)
  const batches = [
    (tx: Db) => deleteRecordBatch(tx, object, hooks),
    (tx: Db) => unlessKept(tx, object, deleteTrashRows),
    (tx: Db) => unlessKept(tx, object, deleteTrashedAttributes),
    (tx: Db) => deleteIndexRows(tx, object, attrs),
    (tx: Db) => deleteDerivedRows(tx, object, attrs),
  ]
  for (const batch of batches)
    for (let removed: number | undefined = 1; removed !== 0; ) {
      if (signal.aborted) return false
      removed = await runBatch(db, object, batch)
      if (removed === RECORD_BATCH) await delay(PAUSE_MS)
      if (removed === undefined) return isRemoved(db, object)
    }
  await runBatch(db, object, (tx) => deleteRows(tx, object))
  return isRemoved(db, object)
}
