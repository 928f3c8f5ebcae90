// Stops counting an attribute by value if it has too many different values, or too long ones. Its texts are searched
// instead.
import sql from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import { SEARCHED } from '../../../model/attributes/starting-index.ts'
import { askForWork, lockObjectIn, type ObjectKey, ofObject } from './work-store.ts'

const dropValues = (tx: Db, object: ObjectKey, attrs: readonly number[]) =>
  tx.run(sql`
    delete from stat_text s
    where ${ofObject(object, sql`s`)} and s.attr = any(${attrs}::int[]) and s.value <> ''`)

/**
 * Afterwards only records with any value are counted. If the type is searched, its index rows are marked as searched.
 * Call it in a transaction that holds the fold lock.
 * @returns whether index rows have to be filled in
 */
export async function demote(tx: Db, object: ObjectKey, attrs: readonly number[]): Promise<boolean> {
  if (attrs.length === 0 || !(await lockObjectIn(tx, object, 'ready'))) return false
  await dropValues(tx, object, attrs)
  const changed = await tx.many<{ isSearched: boolean }>(sql`
    update attributes a set counting = 'presence',
      search_state = case when a.type = any(${SEARCHED}::text[]) then 'building' else 'none' end
    where ${ofObject(object, sql`a`)} and a.attr = any(${attrs}::int[]) and a.counting = 'values'
    returning a.search_state = 'building' as "isSearched"`)
  if (changed.some(({ isSearched }) => isSearched)) {
    await askForWork(tx, object, 'ready')
    return true
  }
  await tx.run(
    sql`update objects o set version = nextval('object_versions') where ${ofObject(object, sql`o`)}`,
  )
  return false
}
