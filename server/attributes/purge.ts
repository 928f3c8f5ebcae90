// What a deleted attribute leaves behind: its values in records, which go to the trash, its references and unique
// values, its slug.
//
// Deleting it hid the slug from every statement; here the rest goes, unseen: no record's updatedAt moves and
// nothing is announced. Safe to stop anywhere and to run on several nodes at once.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { hasOlderTransactions } from '../db/older-transactions.ts'
import type { Db } from '../db/pool.ts'
import { deleteDerivedRows, PURGE_BATCH } from '../objects/derived-rows.ts'
import { recordsByIds } from '../objects/record-lookup.ts'
import { hideSlug, lockObjectRow } from '../objects/store.ts'
import { keepValues } from './trash-store.ts'

export interface DeletedAttribute {
  org: number
  obj: number
  attr: number
  slug: string
}

const isThis = ({ org, attr }: DeletedAttribute) => sql`org = ${org} and attr = ${attr}`

/** The deletion is committed, or this would not see it: from now on no transaction begins that does not. */
const sealDeletion = (db: Db, attribute: DeletedAttribute) =>
  db.run(sql`
    update attributes set deleted_at = clock_timestamp() where ${isThis(attribute)} and deleted_at = 'infinity'`)

const sealedAt = (attribute: DeletedAttribute) =>
  sql`(select deleted_at from attributes where ${isThis(attribute)})`

const isGone = async (db: Db, attribute: DeletedAttribute) =>
  (await db.maybeOne(sql`select attr from attributes where ${isThis(attribute)}`)) === undefined

/**
 * Runs one batch. The lock keeps the slug from being given to another attribute meanwhile, whose values the
 * batch would take for ours. @returns undefined when another node is at it, or has finished
 */
const runBatch = <Result>(db: Db, attribute: DeletedAttribute, batch: (tx: Db) => Promise<Result>) =>
  db.transaction(async (tx) => {
    const mine = await tx.run(sql`
      select from attributes where ${isThis(attribute)} and deleted_at is not null for update skip locked`)
    return mine === 0 ? undefined : batch(tx)
  })

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Takes the slug out of the next 5,000 records after `id`. @returns the last of them; null when there is none */
async function stripBatch(
  tx: Db,
  { org, obj, attr, slug }: DeletedAttribute,
  id: string,
): Promise<string | null> {
  const isThere = sql`(r.data ? ${slug}::text or r.comparable ? ${slug}::text)`
  const { ids } = await tx.one<{ ids: string[] }>(sql`
    select array(
      select r.id from records r where r.org = ${org} and r.obj = ${obj} and r.id > ${id}::uuid
      order by r.id limit ${PURGE_BATCH})::text[] as ids`)
  const batch = sql`${ids}::uuid[]`
  // Locked first: the next statement sees them as they are then.
  await tx.run(sql`
    select from ${recordsByIds({ org, obj }, batch, { conditions: [isThere], lock: sql`for no key update` })}`)
  await keepValues(tx, { org, obj, attr, slug }, batch)
  await tx.run(sql`
    update records c set data = c.data - ${slug}::text, comparable = nullif(c.comparable - ${slug}::text, '{}')
    where c.org = ${org} and c.ctid = any(array(
      select r.place from ${recordsByIds({ org, obj }, batch, { conditions: [isThere] })}))`)
  return ids.at(-1) ?? null
}

/** Frees the slug. Only the transaction that removes the row may show the slug: another one may take it then. */
const deleteRow = (db: Db, attribute: DeletedAttribute) =>
  db.transaction(async (tx) => {
    const { org, obj, slug } = attribute
    await lockObjectRow(tx, org, obj)
    const removed = await tx.run(
      sql`delete from attributes where ${isThis(attribute)} and deleted_at is not null`,
    )
    if (removed > 0) await hideSlug(tx, org, { obj, slug, isHidden: false })
  })

/** @returns whether all records were seen */
async function stripRecords(db: Db, attribute: DeletedAttribute, signal: AbortSignal): Promise<boolean> {
  let last: string | null | undefined = BEFORE_ALL
  while (last) {
    if (signal.aborted) return false
    const after: string = last
    last = await runBatch(db, attribute, (tx) => stripBatch(tx, attribute, after))
  }
  return last === null
}

async function deleteDerived(db: Db, attribute: DeletedAttribute, signal: AbortSignal): Promise<boolean> {
  let removed: number | undefined = 1
  while (removed) {
    if (signal.aborted) return false
    removed = await runBatch(db, attribute, (tx) => deleteDerivedRows(tx, attribute, [attribute.attr]))
  }
  return removed === 0
}

/**
 * Removes what is left of a deleted attribute, in transactions of at most 5,000 rows; then its slug is free.
 * @returns whether nothing is left: false while transactions from before the deletion are open (they may still
 * write the slug), while another node is at it, or after `signal` said stop
 */
export async function purgeAttribute(
  db: Db,
  attribute: DeletedAttribute,
  signal: AbortSignal,
): Promise<boolean> {
  await sealDeletion(db, attribute)
  if (await hasOlderTransactions(db, sealedAt(attribute))) return false
  if ((await stripRecords(db, attribute, signal)) && (await deleteDerived(db, attribute, signal)))
    await deleteRow(db, attribute)
  return isGone(db, attribute)
}

const PAUSE_MS = 20

/**
 * Purges for at most `budgetMs`; the rest is left to the background. In a transaction nothing is done: the
 * deletion is not committed yet.
 * @returns whether nothing is left
 */
export async function purgeWithin(db: Db, attribute: DeletedAttribute, budgetMs: number): Promise<boolean> {
  if (db.inTransaction) return false
  const signal = AbortSignal.timeout(budgetMs)
  while (!signal.aborted) {
    if (await purgeAttribute(db, attribute, signal)) return true
    await delay(PAUSE_MS)
  }
  return false
}
