// Removes the data of a deleted attribute: its values in records, which go to the trash, its references, its unique
// values, and its slug.
//
// The deletion has already hidden the slug from every statement. A record that showed a value gets its next version and
// an event in the statement that removes the value. The purge can stop at any point, and can run on several nodes.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { hasOlderTransactions } from '../../db/older-transactions.ts'
import type { Db } from '../../db/pool.ts'
import { deleteDerivedRows } from '../objects/derived-rows.ts'
import { recordsByIds } from '../objects/record-lookup.ts'
import { hideSlug, lockObjectRow } from '../objects/store.ts'
import type { AttributeContext } from './context.ts'
import { BEFORE_ALL, lockShownHolders, type ShownChange, shownUpTo } from './shown-store.ts'
import { keepValues } from './trash-store.ts'

export interface DeletedAttribute {
  org: number
  obj: number
  attr: number
  slug: string
}

const isThis = ({ org, attr }: DeletedAttribute) => sql`org = ${org} and attr = ${attr}`

/** Stores the time at which the deletion is known to be committed: all later transactions see it. */
const sealDeletion = (db: Db, attribute: DeletedAttribute) =>
  db.run(sql`
    update attributes set deleted_at = clock_timestamp() where ${isThis(attribute)} and deleted_at = 'infinity'`)

const sealedAt = (attribute: DeletedAttribute) =>
  sql`(select deleted_at from attributes where ${isThis(attribute)})`

const isRemoved = async (db: Db, attribute: DeletedAttribute) =>
  (await db.maybeOne(sql`select attr from attributes where ${isThis(attribute)}`)) === undefined

/**
 * Runs one batch. The lock prevents another attribute from getting the slug during the batch, which would remove the
 * values of that attribute.
 * @returns undefined if another node runs a batch or has finished
 */
const runBatch = <Result>(db: Db, attribute: DeletedAttribute, batch: (tx: Db) => Promise<Result>) =>
  db.transaction(async (tx) => {
    const mine = await tx.run(sql`
      select from attributes where ${isThis(attribute)} and deleted_at is not null for update skip locked`)
    return mine === 0 ? undefined : batch(tx)
  })

/** Pause between two batches, for the requests of others. */
const PAUSE_MS = 20
/** Number of records that get a version in one transaction, small enough to keep locks short. */
export const VERSION_BATCH = 500
/** Number of records per transaction if no record showed a value. */
const STRIP_BATCH = 5000

const removeValues = (tx: Db, { org, obj, slug }: DeletedAttribute, ids: readonly string[]) =>
  tx.run(sql`
    update records c set data = c.data - ${slug}::text, comparable = nullif(c.comparable - ${slug}::text, '{}')
    where c.org = ${org} and c.ctid = any(array(
      select r.place from ${recordsByIds({ org, obj }, sql`${ids}::uuid[]`)}))`)

/** null: no record showed a value at the deletion. undefined: another node has finished. */
const findChange = (tx: Db, { org, attr }: DeletedAttribute) =>
  tx.maybeValue<ShownChange | null>(sql`
    select shown_change from attributes where org = ${org} and attr = ${attr}`)

type PurgeContext = Pick<AttributeContext, 'db' | 'hooks'>

interface Purge extends PurgeContext {
  attribute: DeletedAttribute
}

interface Stripped {
  /** The last processed record; null if no records are left. */
  last: string | null
  records: number
}

/** Stores where the next run continues: earlier records have no value left. */
const saveStripped = (tx: Db, { org, attr }: DeletedAttribute, last: string) =>
  tx.run(sql`
    update attributes set shown_change = ${shownUpTo(last)}
    where org = ${org} and attr = ${attr} and shown_change is not null`)

/** Removes the slug from the next records after `id`. */
async function stripBatch(tx: Db, { attribute, hooks }: Purge, id: string): Promise<Stripped> {
  const change = await findChange(tx, attribute)
  const limit = change ? VERSION_BATCH : STRIP_BATCH
  const { ids, last } = await lockShownHolders(tx, attribute, { after: id, limit })
  if (ids.length > 0) {
    await keepValues(tx, attribute, sql`${ids}::uuid[]`)
    if (!change) await removeValues(tx, attribute, ids)
    else for (const hook of hooks.onShownChange) await hook(tx, attribute, { ids, change, isRemoved: true })
  }
  if (change && last !== null) await saveStripped(tx, attribute, last)
  return { last, records: ids.length }
}

/**
 * Deletes the attribute and frees the slug. Both are one transaction, because another attribute can then take the slug.
 */
const deleteRow = (db: Db, attribute: DeletedAttribute) =>
  db.transaction(async (tx) => {
    const { org, obj, slug } = attribute
    await lockObjectRow(tx, org, obj)
    const removed = await tx.run(
      sql`delete from attributes where ${isThis(attribute)} and deleted_at is not null`,
    )
    if (removed > 0) await hideSlug(tx, org, { obj, slug, isHidden: false })
  })

/** @returns whether all records were processed */
async function stripRecords(purge: Purge, signal: AbortSignal): Promise<boolean> {
  const { db, attribute } = purge
  let last: string | null = (await findChange(db, attribute))?.after ?? BEFORE_ALL
  while (last !== null) {
    if (signal.aborted) return false
    const after: string = last
    const stripped = await runBatch(db, attribute, (tx) => stripBatch(tx, purge, after))
    if (stripped === undefined) return false
    last = stripped.last
    if (stripped.records >= VERSION_BATCH) await delay(PAUSE_MS)
  }
  return true
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
 * Removes the data of a deleted attribute in transactions of at most 5,000 rows, and then frees its slug.
 * @returns whether nothing is left: false while transactions from before the deletion are open (they may still write
 * the slug), while another node runs a batch, or after `signal` aborted
 */
export async function purgeAttribute(
  { db, hooks }: PurgeContext,
  attribute: DeletedAttribute,
  signal: AbortSignal,
): Promise<boolean> {
  await sealDeletion(db, attribute)
  if (await hasOlderTransactions(db, sealedAt(attribute))) return false
  const purge = { db, hooks, attribute }
  if ((await stripRecords(purge, signal)) && (await deleteDerived(db, attribute, signal)))
    await deleteRow(db, attribute)
  return isRemoved(db, attribute)
}

/**
 * Purges for at most `budgetMs`; the job does the rest. Does nothing within a transaction, because the deletion is not
 * committed yet.
 * @returns whether nothing is left
 */
export async function purgeWithin(
  ctx: PurgeContext,
  attribute: DeletedAttribute,
  budgetMs: number,
): Promise<boolean> {
  if (ctx.db.inTransaction) return false
  const signal = AbortSignal.timeout(budgetMs)
  while (!signal.aborted) {
    if (await purgeAttribute(ctx, attribute, signal)) return true
    await delay(PAUSE_MS)
  }
  return false
}
