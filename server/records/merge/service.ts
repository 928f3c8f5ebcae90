// Merges records of an object: one transaction, which a dry run rolls back.
import { ATTACHMENTS_MAX } from '../../../contract/limits.ts'
import type { MergeBody, MovedToWinner } from '../../../contract/merge.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, invalidField } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import { parseJson } from '../../base/json.ts'
import { inDryRun } from '../../db/dry-run.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, withModel } from '../../model/attributes/models.ts'
import { requireActive, requireRecordId } from '../read/record-of.ts'
import { shownRecord } from '../read/shown-record.ts'
import { recordNotFound } from '../read/successor.ts'
import { recordJson, type StoredRecord } from '../rows/stored-record.ts'
import { checkData } from '../validation/values.ts'
import { uniqueViolation } from '../write/conflicts.ts'
import { deleteRecords } from '../write/delete-store.ts'
import { draftOf, requireValid } from '../write/drafts.ts'
import { insertMerge } from '../write/merge-journal.ts'
import { withReferences } from '../write/references.ts'
import { retrying } from '../write/retrying.ts'
import { writePatch } from '../write/service.ts'
import { FOR_DELETION, lockRecords, selectUniques } from '../write/store.ts'
import type { MergeContext } from './context.ts'
import { announceMerge, countFiles, countMoving, markMerged } from './store.ts'
import { type MergeSide, mergedValues, requireChoices } from './values.ts'

interface Merge {
  id: string
  caller: Caller
  model: ObjectModel
  winner: string
  losers: readonly string[]
  body: MergeBody
}

interface Merged {
  record: StoredRecord
  moved: MovedToWinner
}

/** @throws 400 validation_error if a record is named twice */
function idsOf({ winnerId, loserIds }: MergeBody): { winner: string; losers: string[] } {
  const winner = requireRecordId(winnerId)
  const losers = loserIds.map(requireRecordId)
  for (const [index, id] of losers.entries())
    if (id === winner || losers.indexOf(id) < index)
      throw invalidField(`loserIds.${index}`, 'duplicate', `"${id}" is named twice: send each record once`)
  return { winner, losers }
}

/** Returns the winner first. Locks the records in the order of ids, as every writer does. @throws 404 not_found */
async function lockSides(
  tx: Db,
  { model, winner, losers }: Merge,
): Promise<{ before: StoredRecord; sides: [MergeSide, ...MergeSide[]] }> {
  const ids = [winner, ...losers]
  const locked = await lockRecords(tx, model, ids, FOR_DELETION)
  const byId = new Map(locked.map((record) => [record.id, record]))
  const missing = ids.find((id) => !byId.has(id))
  const before = byId.get(winner)
  if (missing !== undefined || !before) {
    const { message, details } = await recordNotFound(tx, model, missing ?? winner)
    throw new AppError('not_found', `${missing}: ${message}`, { recordId: missing, ...details })
  }
  const sideOf = (id: string): MergeSide => ({
    id,
    data: parseJson(byId.get(id)?.data ?? '{}') as MergeSide['data'],
  })
  return { before, sides: [sideOf(winner), ...losers.map(sideOf)] }
}

/** @throws 400 validation_error if the records have too many files in total */
async function requireRoom(tx: Db, { model, winner, losers }: Merge): Promise<void> {
  const files = await countFiles(tx, model, [winner, ...losers])
  if (files <= ATTACHMENTS_MAX) return
  const message = `must have at most ${ATTACHMENTS_MAX} files together, and have ${files}: remove some first`
  throw invalidField('loserIds', 'too_many_files', message)
}

/** @throws 400 validation_error, 404 not_found, 409 object_inactive, unique_violation */
export async function mergeIn(ctx: MergeContext, tx: Db, merge: Merge): Promise<Merged> {
  const { id, caller, model, winner, losers, body } = merge
  const { before, sides } = await lockSides(tx, merge)
  requireActive(model)
  const data = mergedValues(model.attributes, sides, body)
  const { locale } = await withReferences({ ...ctx, db: tx }, caller, { model, createMissing: null }, [data])
  const draft = draftOf(model, winner, requireValid(checkData('patch', data, model.attributes, locale)))
  const moved = await countMoving(tx, model.org, losers)
  await requireRoom(tx, merge)
  await deleteRecords(ctx, tx, {
    caller,
    model,
    ids: losers,
    isPermanent: false,
    successor: { id: winner, merge: id },
    check: () => undefined,
  })
  await markMerged(tx, model, losers, winner)
  const holders = await selectUniques(tx, model.org, draft.uniques)
  const other = holders.find(({ id }) => id !== winner)
  if (other) throw uniqueViolation(model, other)
  const after = await writePatch(tx, caller, model, { draft, ifMatch: undefined })
  const claimed = draft.uniques.map(({ attr }) => attr)
  await insertMerge(tx, caller, model, { id, winner, losers: [...losers], before, after, claimed })
  return { record: await announceMerge(tx, caller, model, { winner, losers }), moved }
}

/**
 * @returns JSON text shaped as MergedRecord
 * @throws 400 validation_error, 404 not_found, 409 object_inactive, unique_violation
 */
export function mergeRecords(
  ctx: MergeContext,
  caller: Caller,
  objectRef: string,
  { body, dryRun = false }: { body: MergeBody; dryRun: boolean | undefined },
): Promise<string> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const { winner, losers } = idsOf(body)
    requireChoices(model.attributes, [winner, ...losers], body)
    const id = newId()
    const merge = { id, caller, model, winner, losers, body }
    const { record, moved } = await retrying(() => inDryRun(ctx.db, dryRun, (tx) => mergeIn(ctx, tx, merge)))
    return `{"record":${recordJson(model, shownRecord(caller, record, body.data))},"mergeId":"${id}","mergedIds":${JSON.stringify(losers)},"moved":${JSON.stringify(moved)}}`
  })
}
