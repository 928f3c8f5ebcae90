// Undoes changes of comments, one change of each comment, for a caller who may delete and restore them. Created
// comments go to the trash, deleted comments return from it, and edited comments get their earlier text unless edited
// since.
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { ModelContext } from '../model/attributes/models.ts'
import { lockRestores } from '../records/trash/store.ts'
import { type Outcome, type UndoneEach, undoEach } from '../records/undo/each-change.ts'
import { requireWritable, restoreText, trashLocked } from './service.ts'
import { lockComment, type StoredComment } from './store.ts'
import type { ChangedText } from './texts-store.ts'
import { restoreLocked } from './trash.ts'
import { findHidden, lockTrashedComment } from './trash-store.ts'

export interface ChangedComment {
  commentId: string
  /** null if the texts were not stored, or are no longer stored. */
  text: ChangedText | null
}

interface CommentUndo {
  ctx: ModelContext
  tx: Db
  caller: Caller
}

const SUBJECT = {
  field: 'text',
  refusals: {
    object_inactive: 'object_unavailable',
    not_found: 'comment_record_gone',
  },
} as const

/** Whether the comment was edited since its creation. Without the stored text, `editedAt` decides. */
const isEdited = ({ text, editedAt }: StoredComment, created: ChangedText | null): boolean =>
  created ? text !== created.after : editedAt !== null

/** The state of a comment that is not found on its record; undefined if it was deleted permanently. */
type Hidden = Awaited<ReturnType<typeof findHidden>>

/** Comments that are already deleted are skipped. A comment on a deleted record is a conflict: it could be restored. */
function whyNotTrashed(hidden: Hidden): Outcome {
  if (!hidden || hidden.isTrashed) return 'nothing'
  return hidden.hasObject ? 'comment_record_gone' : 'object_unavailable'
}

function whyNotReturned(hidden: Hidden): Outcome {
  if (!hidden) return 'comment_purged'
  return hidden.hasObject ? 'nothing' : 'object_unavailable'
}

const whyNotRestored = (hidden: Hidden): Outcome =>
  hidden && !hidden.hasObject ? 'object_unavailable' : 'comment_gone'

export function trashCreatedComments<Change extends ChangedComment>(
  { ctx, tx, caller }: CommentUndo,
  changes: readonly Change[],
): Promise<UndoneEach<Change>> {
  return undoEach(SUBJECT, changes, async ({ commentId, text }) => {
    const comment = await lockComment(tx, caller.org, commentId)
    if (!comment) return whyNotTrashed(await findHidden(tx, caller.org, commentId))
    if (isEdited(comment, text)) return 'comment_edited'
    await requireWritable(ctx, tx, caller.org, comment)
    await trashLocked(tx, caller, comment)
    return 'undone'
  })
}

/** Restores deleted comments. Comments that were already restored stay unchanged. */
export async function returnDeletedComments<Change extends ChangedComment>(
  { ctx, tx, caller }: CommentUndo,
  changes: readonly Change[],
): Promise<UndoneEach<Change>> {
  await lockRestores(tx, caller.org)
  return undoEach(SUBJECT, changes, async ({ commentId }) => {
    const trashed = await lockTrashedComment(tx, caller.org, commentId)
    if (!trashed) return whyNotReturned(await findHidden(tx, caller.org, commentId))
    await restoreLocked(ctx, tx, caller, trashed)
    return 'undone'
  })
}

export function restoreEditedComments<Change extends ChangedComment>(
  { ctx, tx, caller }: CommentUndo,
  changes: readonly Change[],
): Promise<UndoneEach<Change>> {
  return undoEach(SUBJECT, changes, async ({ commentId, text }) => {
    const comment = await lockComment(tx, caller.org, commentId)
    if (!comment) return whyNotRestored(await findHidden(tx, caller.org, commentId))
    if (!text || text.before === null) return 'comment_unknown'
    if (comment.text === text.before) return 'nothing'
    if (comment.text !== text.after) return 'value_changed'
    await requireWritable(ctx, tx, caller.org, comment)
    await restoreText(tx, caller, comment, text.before)
    return 'undone'
  })
}
