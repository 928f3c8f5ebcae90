// The last step of building an index: makes its counters. Totals are read from them afterwards.
import sql from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import { countNumbers, countTexts, recountRecords } from './counter-store.ts'
import { demote } from './demote.ts'
import { lockObjectIn, type ObjectKey, ofObject, selectIndexed } from './work-store.ts'

/** Attributes that were added during the count are also complete: the fold lock kept all of their changes. */
const makeReadable = async (tx: Db, object: ObjectKey): Promise<void> => {
  await tx.run(sql`
    update attributes a set index_state = 'ready', is_counted = a.counting <> 'none',
      search_state = case when a.search_state = 'building' then 'ready' else a.search_state end
    where ${ofObject(object, sql`a`)} and a.index_state <> 'none'`)
  await tx.run(sql`
    update objects o set index_state = 'ready', index_since = null, index_last = null, index_seen = 0,
      version = nextval('object_versions')
    where ${ofObject(object, sql`o`)}`)
}

/** Counts an object whose index rows are complete, in a transaction that holds the fold lock. */
export async function countObject(tx: Db, object: ObjectKey): Promise<void> {
  // Takes minutes for an object of tens of millions of records.
  await tx.takeAnyTime()
  const attributes = await selectIndexed(tx, object)
  const beyond = await countTexts(tx, object, attributes)
  await countNumbers(tx, object, attributes)
  await recountRecords(tx, object)
  if (!(await lockObjectIn(tx, object, 'building'))) throw new Error('The index was given up meanwhile')
  await makeReadable(tx, object)
  await demote(tx, object, beyond)
}
