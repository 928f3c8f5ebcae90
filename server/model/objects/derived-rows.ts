// Removes rows derived from the values of attributes: references, unique values, index rows and counters.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { deleteMerges, purgeTrash } from './trash-rows.ts'

/** Maximum number of rows that one transaction of a purge removes, small enough to delay no other transaction. */
const PURGE_BATCH = 5000

const TABLES: readonly Sql[] = [
  sql`links`,
  sql`uniques`,
  sql`index_text`,
  sql`index_number`,
  sql`index_missing`,
  sql`index_search`,
]
const COUNTERS: readonly Sql[] = [sql`stat_text`, sql`stat_number`]

interface Owner {
  org: number
  obj: number
}

// A concurrently updated row moves to another ctid and is left to the next batch.
const deleteFrom = (tx: Db, table: Sql, condition: Sql) =>
  tx.run(sql`
    delete from ${table} t where ${condition} and t.ctid = any(array(
      select t.ctid from ${table} t where ${condition} limit ${PURGE_BATCH}))`)

/** Deletes from one table after the other. @returns the number of deleted rows; 0 if no table has any left */
async function deleteBatch(tx: Db, tables: readonly Sql[], condition: Sql): Promise<number> {
  for (const table of tables) {
    const removed = await deleteFrom(tx, table, condition)
    if (removed > 0) return removed
  }
  return 0
}

/** Removes a batch of the derived rows of attributes. @returns the number of deleted rows; 0 if none is left */
export async function deleteDerivedRows(
  tx: Db,
  { org, obj }: Owner,
  attrs: readonly number[],
): Promise<number> {
  const ofAttributes = sql`t.org = ${org} and t.attr = any(${attrs}::int[])`
  const removed = await deleteBatch(tx, TABLES, ofAttributes)
  return removed > 0 ? removed : deleteBatch(tx, COUNTERS, sql`${ofAttributes} and t.obj = ${obj}`)
}

const INDEXES = TABLES.slice(2)
const OF_OBJECT: readonly Sql[] = [sql`stat_changes`, ...COUNTERS, sql`stat_ids`]

/** Removes a batch of an object's index rows and counters. @returns the number of deleted rows; 0 if none is left */
export async function deleteIndexRows(
  tx: Db,
  { org, obj }: Owner,
  attrs: readonly number[],
): Promise<number> {
  const removed = await deleteBatch(tx, OF_OBJECT, sql`t.org = ${org} and t.obj = ${obj}`)
  return removed > 0
    ? removed
    : deleteBatch(tx, INDEXES, sql`t.org = ${org} and t.attr = any(${attrs}::int[])`)
}

/**
 * Permanently deletes a batch of an object's trash, merges and ids of merged records.
 * @returns the number of deleted rows; 0 if none is left
 */
export async function deleteTrashRows(tx: Db, { org, obj }: Owner): Promise<number> {
  const rows = sql`
    select t.id from trash t where t.org = ${org} and t.obj = ${obj} limit ${PURGE_BATCH} for update`
  const { removed } = await purgeTrash(tx, org, rows)
  if (removed > 0) return removed
  const merges = await deleteMerges(tx, sql`m.org = ${org} and m.obj = ${obj}`)
  return merges > 0 ? merges : deleteFrom(tx, sql`merged_records`, sql`t.org = ${org} and t.obj = ${obj}`)
}

/**
 * Deletes a batch of an object's deleted attributes with their values.
 * @returns the number of deleted rows; 0 if none is left
 */
export async function deleteTrashedAttributes(tx: Db, { org, obj }: Owner): Promise<number> {
  const ofObject = sql`t.org = ${org} and t.attr in (
    select d.attr from trash_attributes d where d.org = ${org} and d.obj = ${obj})`
  const removed = await deleteFrom(tx, sql`trash_values`, ofObject)
  return removed > 0 ? removed : deleteFrom(tx, sql`trash_attributes`, sql`t.org = ${org} and t.obj = ${obj}`)
}
