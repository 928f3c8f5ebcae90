// Moves records to the trash after their retention period, for one object after the other.
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
  FIRST_CURSOR,
  lockDays,
  type RetentionCursor,
  selectOld,
  selectRetained,
  selectStillDue,
} from './store.ts'

type RetentionJobContext = RecordWriteContext & { log: Logger }

/** Number of records that one statement reads; BATCH is the number that one transaction deletes. */
const LOOKED_AT = 1000
const BATCH = 100

interface Batch {
  object: DueObject
  before: Date
  ids: readonly string[]
}

/** @returns false if the retention of the object has changed */
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

/**
 * If a record cannot be deleted, continues with the records after it.
 * @returns false if the retention of the object has changed
 */
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

/** @returns the position after the last read record; undefined if no records are left, or the retention has changed */
async function deleteNext(
  ctx: RetentionJobContext,
  object: DueObject,
  { before, after }: { before: Date; after: RetentionCursor },
): Promise<RetentionCursor | undefined> {
  const looked = await selectOld(ctx.db, object, { before, after, limit: LOOKED_AT })
  const due = looked.filter(({ isDue }) => isDue).map(({ id }) => id)
  for (let at = 0; at < due.length; at += BATCH)
    if (!(await deleteBatch(ctx, { object, before, ids: due.slice(at, at + BATCH) }))) return undefined
  return looked.at(-1)
}

/** A job, which may run again and may be stopped at any point. */
export async function deleteUnused(ctx: RetentionJobContext, signal: AbortSignal, now: Date): Promise<void> {
  const cursors = new Map<DueObject, RetentionCursor>()
  const failure = 'records of an object that are kept no longer could not be deleted'
  await inTurns(await selectRetained(ctx.db), { log: ctx.log, signal, failure }, async (object, slice) => {
    const before = dueBefore(now, object.days)
    while (!slice.aborted) {
      const next = await deleteNext(ctx, object, { before, after: cursors.get(object) ?? FIRST_CURSOR })
      if (!next) return true
      cursors.set(object, next)
    }
    return false
  })
}
