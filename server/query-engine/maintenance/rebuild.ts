// Drops an index: records are read by full scans until it is built again.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { lockObjectRow } from '../../objects/store.ts'
import { askForWork, type ObjectKey, ofObject } from './work-store.ts'

/** The background does the rest. No answer changes by it. */
export const dropIndex = (db: Db, object: ObjectKey): Promise<void> =>
  db.transaction(async (tx) => {
    await lockObjectRow(tx, object.org, object.obj)
    await tx.run(sql`
      update attributes a set index_state = 'none', search_state = 'none', counting = 'none', is_counted = false,
        keeps_missing = false
      where ${ofObject(object, sql`a`)}`)
    await askForWork(tx, object, 'none')
  })
