// Undoes one change of a record, in one transaction, which a dry run rolls back.

import type { UndoBody } from '../../../contract/undo.ts'
import type { Caller } from '../../base/caller.ts'
import { invalid } from '../../base/errors.ts'
import { insteadTold, sentName } from '../../base/suggestions.ts'
import { type Asking, toldNames } from '../../base/told-names.ts'
import { inDryRun } from '../../db/dry-run.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, withModel } from '../../model/attributes/models.ts'
import { requireActive, requireRecordId } from '../read/record-of.ts'
import { shownChanges, shownConflict, shownRecord } from '../read/shown-record.ts'
import { recordNotFound } from '../read/successor.ts'
import { recordJson, type StoredRecord } from '../rows/stored-record.ts'
import type { RecordWriteContext } from '../write/context.ts'
import { retrying } from '../write/retrying.ts'
import { lockRecords } from '../write/store.ts'
import { type Change, requireChange } from './change-store.ts'
import { planRestorations, type Restoration, writeRestorations } from './restoration.ts'

interface Undo {
  recordId: string
  body: UndoBody
  dryRun: boolean | undefined
}

/** @throws 400 validation_error */
function requireChanged(
  { changes }: Change,
  overwrite: readonly string[],
  asking: Asking,
): ReadonlySet<string> {
  const told = toldNames(asking, 'attributes', Object.keys(changes))
  const problems = [...overwrite.entries()]
    .filter(([, slug]) => !Object.hasOwn(changes, slug))
    .map(([index, slug]) => ({
      path: `overwrite.${index}`,
      code: 'not_allowed',
      message: `must be an attribute that this version changed, not ${sentName(slug)}: ${insteadTold(slug, told, 'leave it out')}`,
    }))
  if (problems.length > 0) throw invalid('validation_error', problems)
  return new Set(overwrite)
}

async function undoIn(
  tx: Db,
  caller: Caller,
  model: ObjectModel,
  { recordId, body: { version, overwrite = [] } }: Undo,
): Promise<Restoration & { record: StoredRecord }> {
  const [stored] = await lockRecords(tx, model, [recordId])
  if (!stored) throw await recordNotFound(tx, model, recordId)
  requireActive(model)
  const change = await requireChange(tx, model, { recordId, version })
  const undoing = { stored, change, overwrite: requireChanged(change, overwrite, caller) }
  const restorations = await planRestorations(tx, caller, model, [undoing])
  const [record = stored] = await writeRestorations(tx, caller, model, restorations)
  const [restoration] = restorations
  if (!restoration) throw new Error('One change has one restoration')
  return { ...restoration, record }
}

/**
 * @returns JSON text shaped as UndoneChange
 * @throws 400 validation_error, 404 not_found, 409 object_inactive, undo_expired
 */
export function undoChange(
  ctx: RecordWriteContext,
  caller: Caller,
  objectRef: string,
  undo: Undo,
): Promise<string> {
  const recordId = requireRecordId(undo.recordId)
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const { record, changes, conflicts } = await retrying(() =>
      inDryRun(ctx.db, undo.dryRun, (tx) => undoIn(tx, caller, model, { ...undo, recordId })),
    )
    const shown = {
      changes: shownChanges(caller, changes),
      conflicts: conflicts.map((one) => shownConflict(caller, one)),
    }
    const text = recordJson(model, shownRecord(caller, record))
    return `{"record":${text},${JSON.stringify(shown).slice(1)}`
  })
}
