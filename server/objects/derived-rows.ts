// Rows derived from the values of attributes: references and unique values, removed with their attributes.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** What one transaction of a purge removes at most: small enough that nobody waits for it. */
export const PURGE_BATCH = 5000

// Rows of both tables are never updated, so a row stays where it is until it is deleted.
const deleteFrom = (tx: Db, table: Sql, org: number, attrs: readonly number[]) =>
  tx.run(sql`
    delete from ${table} t where t.org = ${org} and t.ctid = any(array(
      select d.ctid from ${table} d where d.org = ${org} and d.attr = any(${attrs}::int[]) limit ${PURGE_BATCH}))`)

/** Removes a batch of the derived rows of attributes. @returns how many rows went: 0 when none is left */
export async function deleteDerivedRows(tx: Db, org: number, attrs: readonly number[]): Promise<number> {
  const links = await deleteFrom(tx, sql`links`, org, attrs)
  return links > 0 ? links : deleteFrom(tx, sql`uniques`, org, attrs)
}
