// Undoes an import, the last batch first: first the records of its rows, then the records created for references.
import { canImport } from '../../contract/import-states.ts'
import type { UndoneBatch } from '../../contract/undo.ts'
import type { Caller } from '../base/caller.ts'
import { AppError } from '../base/errors.ts'
import { EXPIRED } from '../records/undo/change-store.ts'
import { undoLastBatch } from '../records/undo/set-service.ts'
import { selectSetObjects } from '../records/undo/set-store.ts'
import type { ImportContext } from './context.ts'
import { refOf, requireRow, wrongState } from './service.ts'
import { type ImportRow, markUndone } from './store.ts'

/** @throws 409 undo_expired, wrong_state */
export function requireUndoable(found: ImportRow): void {
  if (!canImport('undo', found.state)) throw wrongState('undo', { ...found, hasFile: true })
  if (found.undo === 'undone')
    throw new AppError('wrong_state', 'The import is undone already: upload the file again to import it')
  if (found.undo === 'none') throw new AppError('undo_expired', EXPIRED)
}

/** One batch a request, so that the caller shows the progress and may stop after any of them. */
export async function undoImport(ctx: ImportContext, caller: Caller, importId: string): Promise<UndoneBatch> {
  const ref = refOf(caller, importId)
  const found = await requireRow(ctx, ref)
  requireUndoable(found)
  const objects = await selectSetObjects(ctx.db, caller.org, ref.id)
  const next = objects.find(({ objectId }) => objectId === found.objectId) ?? objects[0]
  if (!next) throw new AppError('undo_expired', EXPIRED)
  const others = objects.filter((one) => one !== next).reduce((sum, { batches }) => sum + batches, 0)
  const undone = await undoLastBatch(
    ctx,
    caller,
    // Records created for references stay if remaining records refer to them.
    { objectRef: next.objectId, changeSetId: ref.id, keepsReferred: next.objectId !== found.objectId },
    async (tx, left) => {
      if (left + others === 0) await markUndone(tx, ref)
    },
  )
  return { ...undone, batchesLeft: undone.batchesLeft + others }
}
