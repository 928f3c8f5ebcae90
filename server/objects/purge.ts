// What a deleted object leaves behind: records with their unique values and references, activities' links to
// them, attributes, the row itself. Nobody sees any of it any more, except activities, which say so when they
// change. Safe to stop anywhere and to run on several nodes at once.
import sql from 'sql-template-tag'
import type { Context } from '../context.ts'
import { hasOlderTransactions } from '../db/older-transactions.ts'
import type { Db } from '../db/pool.ts'
import { deleteDerivedRows, deleteIndexRows, PURGE_BATCH } from './derived-rows.ts'
import { recordsByIds } from './record-lookup.ts'

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

const isGone = async (db: Db, object: DeletedObject) =>
  (await db.maybeOne(sql`select obj from objects where ${isThis(object)}`)) === undefined

/** Runs one batch. @returns undefined when another node is at it, or has finished */
const inTurn = <Result>(db: Db, object: DeletedObject, batch: (tx: Db) => Promise<Result>) =>
  db.transaction(async (tx) => {
    const mine = await tx.run(sql`
      select from objects where ${isThis(object)} and deleted_at is not null for update skip locked`)
    return mine === 0 ? undefined : batch(tx)
  })

async function deleteRecordBatch(
  tx: Db,
  object: DeletedObject,
  beforeRecordsGo: Context['beforeRecordsGo'],
): Promise<number> {
  // The strongest lock: whoever is linking one of the records finishes first, and is seen here.
  const rows = await tx.many<{ id: string }>(sql`
    select id from records where ${isThis(object)} order by id limit ${PURGE_BATCH} for update`)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await beforeRecordsGo(tx, { org: object.org, userId: null, keyId: null }, ids)
  return tx.run(sql`
    delete from records where ${isThis(object)} and ctid = any(array(
      select r.place from ${recordsByIds(object, sql`${ids}::uuid[]`)}))`)
}

const selectAttrs = async (db: Db, object: DeletedObject) =>
  (await db.many<{ attr: number }>(sql`select attr from attributes where ${isThis(object)}`)).map(
    ({ attr }) => attr,
  )

/** What still refers to the object are attributes that are deleted, or whose object is. */
async function deleteRows(tx: Db, object: DeletedObject): Promise<void> {
  await tx.run(sql`
    update attributes set target_obj = null where org = ${object.org} and target_obj = ${object.obj}`)
  await tx.run(sql`delete from attributes where ${isThis(object)}`)
  await tx.run(sql`delete from objects where ${isThis(object)}`)
}

/**
 * Removes what is left of a deleted object, in transactions of at most 5,000 rows.
 * @returns whether nothing is left: false while transactions from before the deletion are open, when another
 * node is at it, or after `signal` said stop
 */
export async function purgeObject(
  { db, beforeRecordsGo }: Pick<Context, 'db' | 'beforeRecordsGo'>,
  object: DeletedObject,
  signal: AbortSignal,
): Promise<boolean> {
  await sealDeletion(db, object)
  if (await hasOlderTransactions(db, sealedAt(object))) return false
  const attrs = await selectAttrs(db, object)
  const batches = [
    (tx: Db) => deleteRecordBatch(tx, object, beforeRecordsGo),
    (tx: Db) => deleteIndexRows(tx, object, attrs),
    (tx: Db) => deleteDerivedRows(tx, object, attrs),
  ]
  for (const batch of batches)
    for (let removed: number | undefined = 1; removed !== 0; ) {
      if (signal.aborted) return false
      removed = await inTurn(db, object, batch)
      if (removed === undefined) return isGone(db, object)
    }
  await inTurn(db, object, (tx) => deleteRows(tx, object))
  return isGone(db, object)
}
