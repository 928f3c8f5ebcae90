// Undoes changes of attachments, one change of each attachment. Attached files are removed to the trash, removed files
// return from it, and renamed files get their earlier name unless renamed since.
import type { UndoJobConflictCode } from '../../contract/undo-jobs.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { ModelContext } from '../model/attributes/models.ts'
import { lockRestores } from '../records/trash/store.ts'
import { type Outcome, type UndoneEach, undoEach } from '../records/undo/each-change.ts'
import type { AttachmentChange } from './changes-store.ts'
import { noted, trashNoted } from './service.ts'
import { type AttachmentSubject, updateName } from './store.ts'
import { keepSubject, requireAttachmentSubject } from './subject.ts'
import { restoreLocked } from './trash.ts'
import { findPlaced, lockName, lockTrashedAttachment, type PlacedAttachment } from './trashed-store.ts'

interface AttachmentUndo {
  ctx: ModelContext
  tx: Db
  caller: Caller
}

const SUBJECT = {
  field: 'name',
  refusals: {
    object_inactive: 'object_unavailable',
    not_found: 'attachment_owner_gone',
    limit_reached: 'list_full',
  },
} as const

interface LockedAttachment {
  subject: AttachmentSubject
  name: string
}

/**
 * Locks an attachment with its record or activity. @returns the reason if that is not possible
 * @throws 404 not_found, 409 object_inactive
 */
async function lockPlaced(
  { ctx, tx, caller: { org } }: AttachmentUndo,
  placed: PlacedAttachment | undefined,
): Promise<LockedAttachment | UndoJobConflictCode> {
  if (placed?.state === 'kept') return 'attachment_owner_gone'
  if (placed?.state !== 'attached') return 'attachment_gone'
  const { id, objectId, recordId, activityId } = placed
  if (activityId === null && objectId === null) return 'object_unavailable'
  const place = activityId === null ? { objectId: objectId ?? '', recordId: recordId ?? '' } : { activityId }
  const subject = await requireAttachmentSubject({ ...ctx, db: tx }, org, place, 'write')
  await keepSubject(tx, org, subject)
  const name = await lockName(tx, org, subject, id)
  return name === undefined ? 'attachment_gone' : { subject, name }
}

/** Removes attached files. Files that were already removed are skipped. */
export function trashAttached<Change extends AttachmentChange>(
  work: AttachmentUndo,
  changes: readonly Change[],
): Promise<UndoneEach<Change>> {
  const { tx, caller } = work
  return undoEach(SUBJECT, changes, async ({ attachmentId, after }) => {
    const locked = await lockPlaced(work, await findPlaced(tx, caller.org, attachmentId))
    if (typeof locked === 'string') return locked === 'attachment_gone' ? 'nothing' : locked
    if (locked.name !== after) return 'attachment_renamed'
    await trashNoted(tx, caller, locked.subject, attachmentId)
    return 'undone'
  })
}

/** Files that are attached again, or are in the trash with their record or activity, need no restoration. */
function whyNotReturned(placed: PlacedAttachment | undefined): Outcome {
  if (!placed) return 'attachment_purged'
  return placed.state === 'trashed' ? 'object_unavailable' : 'nothing'
}

export async function returnRemoved<Change extends AttachmentChange>(
  { ctx, tx, caller }: AttachmentUndo,
  changes: readonly Change[],
): Promise<UndoneEach<Change>> {
  const { org } = caller
  await lockRestores(tx, org)
  return undoEach(SUBJECT, changes, async ({ attachmentId }) => {
    const trashed = await lockTrashedAttachment(tx, org, attachmentId)
    if (!trashed) return whyNotReturned(await findPlaced(tx, org, attachmentId))
    const { row } = await restoreLocked(ctx, tx, caller, trashed)
    return row.id === attachmentId ? 'undone' : 'nothing'
  })
}

export function restoreRenamed<Change extends AttachmentChange>(
  work: AttachmentUndo,
  changes: readonly Change[],
): Promise<UndoneEach<Change>> {
  const { tx, caller } = work
  return undoEach(SUBJECT, changes, async ({ attachmentId: id, before, after }) => {
    const locked = await lockPlaced(work, await findPlaced(tx, caller.org, id))
    if (typeof locked === 'string') return locked
    const { subject, name } = locked
    if (before === null || name === before) return 'nothing'
    if (name !== after) return 'value_changed'
    const written = await updateName(tx, caller.org, subject, { id, name: before })
    if (written) await noted(tx, caller, subject, written)
    return 'undone'
  })
}
