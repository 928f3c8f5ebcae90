// Returns the records of restored objects from the trash, in small batches.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { OBJECTS } from '../../model/objects/trashed-definitions.ts'
import type { TrashContext } from './context.ts'
import { RETURN_BATCH, returnRecords } from './restore.ts'
import { type RestoredObject, type Returning, returnAll, returnNow } from './returning.ts'

const ownRecords = ({ org, obj }: RestoredObject) => sql`
  trash t join trash_objects d on d.org = t.org and d.obj = t.obj and d.is_restored and t.deleted_at >= d.deleted_at
  where t.org = ${org} and t.obj = ${obj}`

const selectIds = async (db: Db, restored: RestoredObject): Promise<string[]> => {
  const rows = await db.many<{ id: string }>(sql`
    select t.id from ${ownRecords(restored)} order by t.deleted_at, t.id limit ${RETURN_BATCH}`)
  return rows.map(({ id }) => id)
}

/** Runs if no record is left. */
const deleteObject = (db: Db, restored: RestoredObject) =>
  db.run(sql`
    delete from trash_objects where org = ${restored.org} and obj = ${restored.obj} and is_restored
      and not exists (select from ${ownRecords(restored)})`)

async function returnBatch(ctx: TrashContext, restored: RestoredObject): Promise<number> {
  const returned = await returnRecords(ctx, restored, restored.objectId, (tx) => selectIds(tx, restored))
  if (returned === 0) await deleteObject(ctx.db, restored)
  return returned
}

const RECORDS: Returning<TrashContext, RestoredObject> = {
  kind: OBJECTS,
  returnBatch,
  countLeft: (db, restored) => db.value<number>(sql`select count(*) as records from ${ownRecords(restored)}`),
  failure: 'the records of a restored object could not be returned',
}

/** @returns the number of records that are left */
export const restoreRecordsNow = (ctx: TrashContext, restored: RestoredObject): Promise<number> =>
  returnNow(RECORDS, ctx, restored)

export const restoreAllRecords = (ctx: TrashContext, signal: AbortSignal): Promise<void> =>
  returnAll(RECORDS, ctx, signal)
