// Moves records to the trash that are kept no longer, one object of each organization after the other.
import type { Logger } from 'pino'
import type { Author } from '../base/caller.ts'
import { inTurns } from '../jobs/jobs.ts'
import { withModel } from '../model/attributes/models.ts'
import type { RecordWriteContext } from '../records/write/context.ts'
import { deleteRecords } from '../records/write/delete-store.ts'
import { FOR_DELETION, lockRecords } from '../records/write/store.ts'
import { dueBefore } from './service.ts'
import {
  type DueObject,
  FIRST_PLACE,
  type Place,
  selectOld,
  selectRetained,
  selectStillDue,
} from './store.ts'

type RetentionJobContext = RecordWriteContext & { log: Logger }

/** Records that one statement looks at, and that one transaction deletes. */
const LOOKED_AT = 1000
const BATCH = 100

/** @returns how many were due still */
const deleteDue = (
  ctx: RetentionJobContext,
  { org, objectId }: DueObject,
  { before, ids }: { before: Date; ids: readonly string[] },
): Promise<number> =>
  withModel(ctx, org, objectId, (model) =>
    ctx.db.transaction(async (tx) => {
      const caller: Author = { org, userId: null, keyId: null }
      await lockRecords(tx, model, ids, FOR_DELETION)
      const due = await selectStillDue(tx, model, before, ids)
      return deleteRecords(ctx, tx, { caller, model, ids: due, isPermanent: false, check: () => undefined })
    }),
  )

/** @returns the place after the records that it looked at; undefined: there are no more */
async function deleteNext(
  ctx: RetentionJobContext,
  object: DueObject,
  { before, after }: { before: Date; after: Place },
): Promise<Place | undefined> {
  const looked = await selectOld(ctx.db, object, { before, after, limit: LOOKED_AT })
  const due = looked.filter(({ isDue }) => isDue).map(({ id }) => id)
  for (let at = 0; at < due.length; at += BATCH)
    await deleteDue(ctx, object, { before, ids: due.slice(at, at + BATCH) })
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
