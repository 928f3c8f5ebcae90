// Moves records to the trash that are kept no longer, one object of each organization after the other.
import type { Logger } from 'pino'
import type { Author } from '../base/caller.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { inTurns } from '../jobs/jobs.ts'
import { requireCurrent, withModel } from '../model/attributes/models.ts'
import type { RecordWriteContext } from '../records/write/context.ts'
import { deleteRecords } from '../records/write/delete-store.ts'
import { FOR_DELETION, lockRecords } from '../records/write/store.ts'
import { dueBefore } from './service.ts'
import {
  type DueObject,
  FIRST_PLACE,
  lockDays,
  type Place,
  selectOld,
  selectRetained,
  selectStillDue,
} from './store.ts'

type RetentionJobContext = RecordWriteContext & { log: Logger }

/** Records that one statement looks at, and that one transaction deletes. */
const LOOKED_AT = 1000
const BATCH = 100

interface Batch {
  object: DueObject
  before: Date
  ids: readonly string[]
}

/** @returns false: the object is kept otherwise now */
const deleteDue = (ctx: RetentionJobContext, { object, before, ids }: Batch): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const { org, objectId, days } = object
    if ((await lockDays(tx, object)) !== days) return false
    const caller: Author = { org, userId: null, keyId: null }
    return withModel({ ...ctx, db: tx }, org, objectId, async (model) => {
      await requireCurrent(tx, model)
      await lockRecords(tx, model, ids, FOR_DELETION)
      const due = await selectStillDue(tx, model, before, ids)
      await deleteRecords(ctx, tx, { caller, model, ids: due, isPermanent: false, check: () => undefined })
      return true
    })
  })

/** A record that cannot be deleted is left, and those after it are not. @returns false: the object is kept otherwise now */
async function deleteBatch(ctx: RetentionJobContext, batch: Batch): Promise<boolean> {
  try {
    return await deleteDue(ctx, batch)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    const { object, ids } = batch
    const [id] = ids
    if (ids.length === 1) {
      ctx.log.error({ err: error, org: object.org, record: id }, 'a record that is due could not be deleted')
      return true
    }
    for (const one of ids) if (!(await deleteBatch(ctx, { ...batch, ids: [one] }))) return false
    return true
  }
}

/** @returns the place after the records that it looked at; undefined: there are no more, or the object is kept otherwise now */
async function deleteNext(
  ctx: RetentionJobContext,
  object: DueObject,
  { before, after }: { before: Date; after: Place },
): Promise<Place | undefined> {
  const looked = await selectOld(ctx.db, object, { before, after, limit: LOOKED_AT })
  const due = looked.filter(({ isDue }) => isDue).map(({ id }) => id)
  for (let at = 0; at < due.length; at += BATCH)
    if (!(await deleteBatch(ctx, { object, before, ids: due.slice(at, at + BATCH) }))) return undefined
  return looked.at(-1)
}

/** A job: may be run again, and be ended half-way. */
export async function deleteUnused(ctx: RetentionJobContext, signal: AbortSignal, now: Date): Promise<void> {
  const places = new Map<DueObject, Place>()
  const failure = 'records of an object that are kept no longer could not be deleted'
  await inTurns(await selectRetained(ctx.db), { log: ctx.log, signal, failure }, async (object, slice) => {
    const before = dueBefore(now, object.days)
    while (!slice.aborted) {
      const next = await deleteNext(ctx, object, { before, after: places.get(object) ?? FIRST_PLACE })
      if (!next) return true
      places.set(object, next)
    }
    return false
  })
}
