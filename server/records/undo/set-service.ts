// Undoes a change set, the last batch first: one batch a request, in one transaction, so that the caller shows the
// progress and may stop after any of them.
import { isDeepStrictEqual } from 'node:util'
import { isUuid } from '../../../contract/common.ts'
import type { SetConflict, UndoneBatch } from '../../../contract/undo.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, notFound } from '../../base/errors.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, withModel } from '../../model/attributes/models.ts'
import { requireActive } from '../read/record-of.ts'
import { shownConflict } from '../read/shown-record.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import type { RecordWriteContext } from '../write/context.ts'
import { deleteRecords } from '../write/delete-store.ts'
import { retrying } from '../write/retrying.ts'
import { FOR_CHANGE, FOR_DELETION, lockRecords } from '../write/store.ts'
import { EXPIRED } from './change-store.ts'
import { planRestorations, writeRestorations } from './restoration.ts'
import {
  deleteBatch,
  lockLastBatch,
  type SetChange,
  type SetRef,
  selectReferred,
  selectSetChanges,
} from './set-store.ts'

interface Work {
  ctx: RecordWriteContext
  tx: Db
  caller: Caller
  model: ObjectModel
  /** Whether created records to which others refer stay, instead of being removed from those. */
  keepsReferred: boolean
}

const NONE: ReadonlySet<string> = new Set()

/** Whether it has the values with which it was created; those of inactive attributes are not compared. */
function isAsCreated({ attributes }: ObjectModel, { data }: StoredRecord, created: SetChange): boolean {
  const now = parseJson(data) as Record<string, unknown>
  return [...attributes.keys()].every((slug) => isDeepStrictEqual(now[slug], created.data[slug]))
}

async function restoreUpdated({ tx, caller, model }: Work, updates: readonly SetChange[]) {
  const locked = await lockRecords(
    tx,
    model,
    updates.map(({ recordId }) => recordId),
    FOR_CHANGE,
  )
  const records = new Map(locked.map((stored) => [stored.id, stored]))
  const versions = new Map(updates.map(({ recordId, version }) => [recordId, version]))
  const undoings = updates.flatMap(({ event, recordId, changes }) => {
    const stored = records.get(recordId)
    return stored && changes ? [{ stored, change: { event, changes }, overwrite: NONE }] : []
  })
  const restorations = await planRestorations(tx, caller, model, undoings)
  const written = await writeRestorations(tx, caller, model, restorations)
  const conflicts: SetConflict[] = restorations.flatMap(({ stored: { id }, conflicts: own }) =>
    own.map((conflict) => ({
      ...{ recordId: id, version: versions.get(id) ?? 0 },
      ...shownConflict(caller, conflict),
    })),
  )
  return { restored: written.length, conflicts }
}

async function trashCreated(
  { ctx, tx, caller, model, keepsReferred }: Work,
  creations: readonly SetChange[],
) {
  if (creations.length === 0) return { trashed: 0, keptIds: [] }
  const created = new Map(creations.map((change) => [change.recordId, change]))
  const keptIds: string[] = []
  const ids: string[] = []
  const locked = await lockRecords(tx, model, [...created.keys()], FOR_DELETION)
  // Records that are locked so get no new references.
  const referred = keepsReferred ? await selectReferred(tx, model, [...created.keys()]) : NONE
  for (const stored of locked) {
    const creation = created.get(stored.id)
    if (creation && isAsCreated(model, stored, creation) && !referred.has(stored.id)) ids.push(stored.id)
    else keptIds.push(stored.id)
  }
  const check = () => undefined
  return { trashed: await deleteRecords(ctx, tx, { caller, model, ids, isPermanent: false, check }), keptIds }
}

/** Runs in the transaction, with the number of batches of the object that are left. */
type AfterBatch = (tx: Db, batchesLeft: number) => Promise<void>

async function undoBatch(work: Work, ref: SetRef, after?: AfterBatch): Promise<UndoneBatch> {
  const { tx, model } = work
  requireActive(model)
  const batch = await lockLastBatch(tx, ref)
  if (!batch) throw notFound('change set')
  if (batch.isExpired) throw new AppError('undo_expired', EXPIRED)
  const changes = await selectSetChanges(tx, model, batch.events)
  const updated = await restoreUpdated(
    work,
    changes.filter((change) => change.changes !== null),
  )
  const created = await trashCreated(
    work,
    changes.filter((change) => change.changes === null),
  )
  await deleteBatch(tx, ref, batch.id)
  await after?.(tx, batch.count - 1)
  return { ...updated, ...created, batchesLeft: batch.count - 1 }
}

interface Undo {
  objectRef: string
  changeSetId: string
  keepsReferred?: boolean
}

/** @throws 404 not_found, 409 object_inactive, undo_expired */
export function undoLastBatch(
  ctx: RecordWriteContext,
  caller: Caller,
  { objectRef, changeSetId, keepsReferred = false }: Undo,
  after?: AfterBatch,
): Promise<UndoneBatch> {
  if (!isUuid(changeSetId)) throw notFound('change set')
  const id = changeSetId.toLowerCase()
  return withModel(ctx, caller.org, objectRef, (model) => {
    const undo = (tx: Db) => undoBatch({ ctx, tx, caller, model, keepsReferred }, { model, id }, after)
    return retrying(() => ctx.db.transaction(undo))
  })
}
