// Reads one record by its id.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { updatedMicros } from '../rows/sorting.ts'
import { type StoredRecord, visibleData } from '../rows/stored-record.ts'

/** @returns undefined when there is no such record */
export async function findRecord(db: Db, model: ObjectModel, id: string): Promise<StoredRecord | undefined> {
  const row = await db.maybeOne<StoredRecord & { id: string | null }>(sql`
    select r.id, ${updatedMicros} as micros, r.version, ${visibleData(model)}::text as data
    from objects o
    left join records r on r.org = o.org and r.obj = o.obj and r.id = ${id}
    where o.org = ${model.org} and o.obj = ${model.obj} and o.version = ${model.version}`)
  if (!row) throw new StaleModel()
  return row.id === null ? undefined : row
}
