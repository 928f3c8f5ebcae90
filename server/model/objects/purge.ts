// What a deleted object leaves behind: records, which go to the trash unless it is deleted for good, with their unique
// values and references, activities' links to them, attributes, the row itself. No answer shows any of it. Each record
// is announced as deleted, with its last data, and each activity that loses links as updated. Safe to stop anywhere and
// to run concurrently on several nodes.
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

/** The deletion is committed, or this would not see it: from now on no transaction begins that does not. */
const sealDeletion = (db: Db, object: DeletedObject) =>
  db.run(sql`
    update objects set deleted_at = clock_timestamp() where ${isThis(object)} and deleted_at = 'infinity'`)

const sealedAt = (object: DeletedObject) => sql`(select deleted_at from objects where ${isThis(object)})`

const isRemoved = async (db: Db, object: DeletedObject) =>
  (await db.maybeOne(sql`select obj from objects where ${isThis(object)}`)) === undefined

/** Runs one batch. @returns undefined when another node is at it, or has finished */
const runBatch = <Result>(db: Db, object: DeletedObject, batch: (tx: Db) => Promise<Result>) =>
  db.transaction(async (tx) => {
    const mine = await tx.run(sql`
      select from objects where ${isThis(object)} and deleted_at is not null for update skip locked`)
    return mine === 0 ? undefined : batch(tx)
  })

/** Records that one transaction deletes: what it writes and locks is soon over. */
export const RECORD_BATCH = 500
/** Between two of them, for the requests of others. */
const PAUSE_MS = 20

/** In whose name the records go. */
async function authorOf(tx: Db, object: DeletedObject): Promise<Author> {
  const found = await tx.maybeOne<Pick<Author, 'userId' | 'keyId'>>(sql`
    select actor as "userId", api_key as "keyId" from deleted_objects where ${isThis(object)}`)
  return { org: object.org, userId: null, keyId: null, ...found }
}

interface Going {
  ids: readonly string[]
  /** Whether they are deleted for good, instead of being kept in the trash. */
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
  // The strongest lock: a transaction that links one of the records commits first, and is seen here.
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

/** Triggers of workflows look at the object's attributes: they stay until those have seen the deletions. */
const isAwaited = async (tx: Db, object: DeletedObject) =>
  (await tx.maybeOne(sql`
    select from event_pending p cross join lateral unnest(p.events) as m (id)
    join events e on e.org = p.org and e.id = m.id
    where p.org = ${object.org} and p.reader = 'workflows' and e.obj = ${object.obj} limit 1`)) !== undefined

/** What still refers to the object are attributes that are deleted, or whose object is. */
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
 * Removes what is left of a deleted object, in transactions of at most 500 records or 5,000 other rows.
 * @returns whether nothing is left: false while transactions from before the deletion are open or workflows have not
 * seen its records go, when another node is at it, or after `signal` said stop
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
