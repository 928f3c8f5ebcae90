// Undoes changes of different records of one object: updated records get their earlier values, created records go to
// the trash, and deleted records return from it.
import { isDeepStrictEqual } from 'node:util'
import type { UndoConflict } from '../../../contract/undo.ts'
import type { Caller } from '../../base/caller.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import { Losses } from '../trash/losses.ts'
import { restoreIn } from '../trash/restore.ts'
import { deleteRecords } from '../write/delete-store.ts'
import { FOR_CHANGE, FOR_DELETION, lockRecords } from '../write/store.ts'
import type { Changes } from './change-store.ts'
import type { UndoContext } from './context.ts'
import { planRestorations, writeRestorations } from './restoration.ts'
import { type SetChange, selectNotInTrash, selectReferred } from './set-store.ts'

export interface UndoWork {
  ctx: UndoContext
  tx: Db
  caller: Caller
  model: ObjectModel
  /** Whether created records that other records refer to are kept, instead of being removed from those records. */
  keepsReferred: boolean
}

interface RestoredUpdates {
  restored: number
  /** Values that are not restored, each with its change. */
  conflicts: { change: SetChange; conflict: UndoConflict }[]
  /** Changes of records that are deleted now. */
  deleted: SetChange[]
}

const NONE: ReadonlySet<string> = new Set()

const byRecord = (changes: readonly SetChange[]) =>
  new Map(changes.map((change) => [change.recordId, change]))

const idsOf = (changes: readonly SetChange[]) => changes.map(({ recordId }) => recordId)

type Update = SetChange & { changes: Changes }

export const isUpdate = <Change extends SetChange>(change: Change): change is Change & Update =>
  change.changes !== null

export async function restoreUpdated(
  { tx, caller, model }: UndoWork,
  updates: readonly Update[],
): Promise<RestoredUpdates> {
  if (updates.length === 0) return { restored: 0, conflicts: [], deleted: [] }
  const locked = await lockRecords(tx, model, idsOf(updates), FOR_CHANGE)
  const records = new Map(locked.map((stored) => [stored.id, stored]))
  const undoings = updates.flatMap(({ event, recordId, changes }) => {
    const stored = records.get(recordId)
    return stored ? [{ stored, change: { event, changes }, overwrite: NONE }] : []
  })
  const restorations = await planRestorations(tx, caller, model, undoings)
  const written = await writeRestorations(tx, caller, model, restorations)
  const changeOf = byRecord(updates)
  const conflicts = restorations.flatMap(({ stored, conflicts: own }) => {
    const change = changeOf.get(stored.id)
    return change ? own.map((conflict) => ({ change, conflict })) : []
  })
  return {
    restored: written.length,
    conflicts,
    deleted: updates.filter(({ recordId }) => !records.has(recordId)),
  }
}

/** Whether the record has the values with which it was created. Values of inactive attributes are not compared. */
function isAsCreated({ attributes }: ObjectModel, { data }: StoredRecord, created: SetChange): boolean {
  const now = parseJson(data) as Record<string, unknown>
  return [...attributes.keys()].every((slug) => isDeepStrictEqual(now[slug], created.data[slug]))
}

interface TrashedCreations {
  trashed: number
  /** Created records that were changed later. */
  changed: string[]
  /** Created records that are kept because other records refer to them. */
  referred: string[]
}

export async function trashCreated(
  { ctx, tx, caller, model, keepsReferred }: UndoWork,
  creations: readonly SetChange[],
): Promise<TrashedCreations> {
  const result: TrashedCreations = { trashed: 0, changed: [], referred: [] }
  if (creations.length === 0) return result
  const created = byRecord(creations)
  const ids: string[] = []
  const locked = await lockRecords(tx, model, [...created.keys()], FOR_DELETION)
  // Locked records get no new references.
  const referred = keepsReferred ? await selectReferred(tx, model, [...created.keys()]) : NONE
  for (const stored of locked) {
    const creation = created.get(stored.id)
    if (!creation || !isAsCreated(model, stored, creation)) result.changed.push(stored.id)
    else if (referred.has(stored.id)) result.referred.push(stored.id)
    else ids.push(stored.id)
  }
  const check = () => undefined
  result.trashed = await deleteRecords(ctx, tx, { caller, model, ids, isPermanent: false, check })
  return result
}

interface ReturnedDeletions {
  returned: number
  losses: Losses
  /** Ids of the records that were merged into others. Their merge has its own undo. */
  merged: string[]
  /** Ids of the records that are permanently deleted. */
  purged: string[]
}

/** Restores deleted records. Records that already exist again stay unchanged. */
export async function returnDeleted(
  { ctx, tx, caller, model }: UndoWork,
  deletions: readonly SetChange[],
): Promise<ReturnedDeletions> {
  const losses = new Losses()
  if (deletions.length === 0) return { returned: 0, losses, merged: [], purged: [] }
  const { merged, purged } = await selectNotInTrash(tx, model, idsOf(deletions))
  const ids = idsOf(deletions).filter((id) => !merged.includes(id))
  const { records } = await restoreIn(ctx, tx, { caller, model, ids, losses })
  return { returned: records.length, losses, merged, purged }
}
