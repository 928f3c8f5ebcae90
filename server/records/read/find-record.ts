// Reads one record by its id or by a unique value.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { updatedMicros } from '../rows/sorting.ts'
import { type StoredRecord, visibleData } from '../rows/stored-record.ts'

/** @param records FROM item of the record `r` of the object `o`, after a left join */
async function findOne(db: Db, model: ObjectModel, records: Sql): Promise<StoredRecord | undefined> {
  const row = await db.maybeOne<StoredRecord & { id: string | null }>(sql`
    select r.id, ${updatedMicros} as micros, r.version, ${visibleData(model)}::text as data
    from objects o left join ${records}
    where o.org = ${model.org} and o.obj = ${model.obj} and o.version = ${model.version}`)
  if (!row) throw new StaleModel()
  return row.id === null ? undefined : row
}

/** @returns undefined when there is no such record */
export const findRecord = (db: Db, model: ObjectModel, id: string): Promise<StoredRecord | undefined> =>
  findOne(db, model, sql`records r on r.org = o.org and r.obj = o.obj and r.id = ${id}`)

/** @returns undefined when no record has the unique value */
export const findRecordByValue = (
  db: Db,
  model: ObjectModel,
  { attr, value }: { attr: number; value: string },
): Promise<StoredRecord | undefined> =>
  findOne(
    db,
    model,
    sql`uniques u on u.org = o.org and u.attr = ${attr} and u.value = ${value}
    left join records r on r.org = o.org and r.obj = o.obj and r.id = u.id`,
  )
