// Undoes a change set, the last batch first. Each request undoes one batch in one transaction, so that the caller can
// show the progress and stop after any batch.
import { isUuid } from '../../../contract/common.ts'
import type { SetConflict, UndoneBatch } from '../../../contract/undo.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { withModel } from '../../model/attributes/models.ts'
import { requireActive } from '../read/record-of.ts'
import { shownConflict } from '../read/shown-record.ts'
import { retrying } from '../write/retrying.ts'
import { EXPIRED } from './change-store.ts'
import { isUpdate, restoreUpdated, returnDeleted, trashCreated, type UndoWork } from './changes.ts'
import type { UndoContext } from './context.ts'
import {
  deleteBatch,
  isOfMerge,
  lockLastBatch,
  type SetChange,
  type SetRef,
  selectSetChanges,
} from './set-store.ts'

const shownConflicts = (
  caller: Caller,
  conflicts: Awaited<ReturnType<typeof restoreUpdated>>['conflicts'],
): SetConflict[] =>
  conflicts.map(({ change: { recordId, version }, conflict }) => ({
    ...{ recordId, version },
    ...shownConflict(caller, conflict),
  }))

const ofType = (changes: readonly SetChange[], type: SetChange['type']) =>
  changes.filter((change) => change.type === type)

/** Runs in the transaction, with the number of remaining batches of the object. */
type AfterBatch = (tx: Db, batchesLeft: number) => Promise<void>

const OF_MERGE =
  'The change set merged records or undid a merge, which is undone only as a whole: undo the set with an undo job'

async function undoBatch(work: UndoWork, ref: SetRef, after?: AfterBatch): Promise<UndoneBatch> {
  const { tx, caller, model } = work
  requireActive(model)
  const batch = await lockLastBatch(tx, ref)
  if (!batch) throw notFound('change set')
  if (batch.isExpired) throw new AppError('undo_expired', EXPIRED)
  if (await isOfMerge(tx, model.org, batch)) throw new AppError('wrong_state', OF_MERGE)
  // The changes of a batch are from one statement, so they all have one type.
  const changes = await selectSetChanges(tx, model, batch.events)
  const { restored, conflicts } = await restoreUpdated(work, changes.filter(isUpdate))
  const { trashed, changed, referred } = await trashCreated(work, ofType(changes, 'record.created'))
  const { returned, losses } = await returnDeleted(work, ofType(changes, 'record.deleted'))
  await deleteBatch(tx, ref, batch.id)
  const batchesLeft = batch.count - 1
  await after?.(tx, batchesLeft)
  const keptIds = [...changed, ...referred]
  return {
    ...{ restored, trashed, returned, keptIds, batchesLeft },
    conflicts: shownConflicts(caller, conflicts),
    // Such a reference returns with the record that it refers to, which another batch may restore.
    losses: losses.first.filter(({ code }) => code !== 'record_in_trash'),
  }
}

/** The changes of an undo do not join the set that is undone: the set would never become empty. */
function outsideOf(id: string, { changeSet, ...caller }: Caller): Caller {
  return changeSet === undefined || changeSet === id ? caller : { ...caller, changeSet }
}

interface Undo {
  objectRef: string
  changeSetId: string
  keepsReferred?: boolean
}

/** @throws 404 not_found, 409 object_inactive, undo_expired, wrong_state */
export function undoLastBatch(
  ctx: UndoContext,
  caller: Caller,
  { objectRef, changeSetId, keepsReferred = false }: Undo,
  after?: AfterBatch,
): Promise<UndoneBatch> {
  if (!isUuid(changeSetId)) throw notFound('change set')
  const id = changeSetId.toLowerCase()
  const author = outsideOf(id, caller)
  return withModel(ctx, caller.org, objectRef, (model) => {
    const undo = (tx: Db) =>
      undoBatch({ ctx, tx, caller: author, model, keepsReferred }, { model, id }, after)
    return retrying(() => ctx.db.transaction(undo))
  })
}
