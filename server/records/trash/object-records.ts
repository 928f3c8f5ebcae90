// Returns the records of restored objects from the trash, in small batches.
import sql from 'sql-template-tag'
import type { Author, Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { roundRobin } from '../../jobs/jobs.ts'
import { isHere } from '../../placement/placement.ts'
import { RETURN_BATCH, returnRecords } from './restore.ts'

/** A restored object with records that are still to return. */
interface Restored extends Author {
  obj: number
  objectId: string
}

const ownRecords = ({ org, obj }: Restored) => sql`
  trash t join trash_objects d on d.org = t.org and d.obj = t.obj and d.is_restored and t.deleted_at >= d.deleted_at
  where t.org = ${org} and t.obj = ${obj}`

const selectIds = async (db: Db, restored: Restored): Promise<string[]> => {
  const rows = await db.many<{ id: string }>(sql`
    select t.id from ${ownRecords(restored)} order by t.deleted_at, t.id limit ${RETURN_BATCH}`)
  return rows.map(({ id }) => id)
}

/** When no record is left. */
const deleteObject = (db: Db, restored: Restored) =>
  db.run(sql`
    delete from trash_objects where org = ${restored.org} and obj = ${restored.obj} and is_restored
      and not exists (select from ${ownRecords(restored)})`)

/** @returns whether it ended before `signal` said stop */
async function restoreRecords(ctx: Context, restored: Restored, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const returned = await returnRecords(ctx, restored, restored.objectId, (tx) => selectIds(tx, restored))
    if (returned > 0) continue
    await deleteObject(ctx.db, restored)
    return true
  }
  return false
}

/** How long a request returns records; the job returns the rest. */
const BUDGET_MS = 2000

/** @returns how many records are left */
export async function restoreRecordsNow(ctx: Context, restored: Restored): Promise<number> {
  await restoreRecords(ctx, restored, AbortSignal.timeout(BUDGET_MS))
  return ctx.db.value<number>(sql`select count(*) as records from ${ownRecords(restored)}`)
}

/** While an organization is moved, those in the cell that has it. */
const selectRestored = (db: Db) =>
  db.many<Restored>(sql`
    select t.org, t.obj, o.id as "objectId", t.restored_by as "userId", t.api_key as "keyId"
    from trash_objects t join objects o on o.org = t.org and o.obj = t.obj and o.deleted_at is null
    where t.is_restored and ${isHere(sql`o.org`)}`)

/** How long one object is worked on before the next. */
const SLICE_MS = 5000

export async function restoreAllRecords(ctx: Context, signal: AbortSignal): Promise<void> {
  await roundRobin(await selectRestored(ctx.db), { sliceMs: SLICE_MS, signal }, async (restored, slice) => {
    try {
      return await restoreRecords(ctx, restored, slice)
    } catch (error) {
      const { org, obj } = restored
      ctx.log.error({ err: error, org, obj }, 'the records of a restored object could not be returned')
      return true
    }
  })
}
