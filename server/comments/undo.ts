// Undoes changes of comments, each of another one, for a caller who may delete and restore them: created ones go to the
// trash, deleted ones return from it, and edited ones get their earlier text unless it was edited since.
import type { UndoJobConflictCode } from '../../contract/undo-jobs.ts'
import type { Caller } from '../base/caller.ts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import type { ModelContext } from '../model/attributes/models.ts'
import { lockRestores } from '../records/trash/store.ts'
import { requireWritable, restoreText, trashLocked } from './service.ts'
import { lockComment, type StoredComment } from './store.ts'
import type { ChangedText } from './texts-store.ts'
import { restoreLocked } from './trash.ts'
import { findHidden, lockTrashedComment } from './trash-store.ts'

export interface ChangedComment {
  commentId: string
  /** null: it is not known, or known no longer. */
  text: ChangedText | null
}

export interface CommentConflict<Change> {
  change: Change
  /** null: the whole comment. */
  slug: 'text' | null
  code: UndoJobConflictCode
  other: null
}

export interface UndoneComments<Change> {
  /** How many were undone. */
  count: number
  conflicts: CommentConflict<Change>[]
}

interface CommentUndo {
  ctx: ModelContext
  tx: Db
  caller: Caller
}

/** What came of one: undone, nothing to undo, or why not. */
type Outcome = 'undone' | 'nothing' | UndoJobConflictCode

/** Why a write to its record is refused; undefined: it is not. */
const REFUSALS: Readonly<Record<string, UndoJobConflictCode>> = {
  object_inactive: 'object_unavailable',
  not_found: 'comment_record_gone',
}

const unlessRefused = (work: () => Promise<Outcome>): Promise<Outcome> =>
  work().catch((error: unknown) => {
    const code = error instanceof AppError ? REFUSALS[error.code] : undefined
    if (code === undefined) throw error
    return code
  })

async function undoEach<Change extends ChangedComment>(
  changes: readonly Change[],
  undo: (change: Change) => Promise<Outcome>,
): Promise<UndoneComments<Change>> {
  const undone: UndoneComments<Change> = { count: 0, conflicts: [] }
  for (const change of changes) {
    const outcome = await unlessRefused(() => undo(change))
    if (outcome === 'undone') undone.count += 1
    else if (outcome !== 'nothing') {
      const slug = outcome === 'value_changed' ? 'text' : null
      undone.conflicts.push({ change, slug, code: outcome, other: null })
    }
  }
  return undone
}

/** A comment of which nothing is known from its creation was not edited. */
const isEdited = ({ text, editedAt }: StoredComment, created: ChangedText | null): boolean =>
  created ? text !== created.after : editedAt !== null

/** Where a comment is that is not found as one of a record; undefined: it was deleted for good. */
type Hidden = Awaited<ReturnType<typeof findHidden>>

/** Comments that are already deleted are skipped; those of a deleted record would return with it. */
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
): Promise<UndoneComments<Change>> {
  return undoEach(changes, async ({ commentId, text }) => {
    const comment = await lockComment(tx, caller.org, commentId)
    if (!comment) return whyNotTrashed(await findHidden(tx, caller.org, commentId))
    if (isEdited(comment, text)) return 'comment_edited'
    await requireWritable(ctx, tx, caller.org, comment)
    await trashLocked(tx, caller, comment)
    return 'undone'
  })
}

/** Those that are there again stay as they are. */
export async function returnDeletedComments<Change extends ChangedComment>(
  { ctx, tx, caller }: CommentUndo,
  changes: readonly Change[],
): Promise<UndoneComments<Change>> {
  await lockRestores(tx, caller.org)
  return undoEach(changes, async ({ commentId }) => {
    const trashed = await lockTrashedComment(tx, caller.org, commentId)
    if (!trashed) return whyNotReturned(await findHidden(tx, caller.org, commentId))
    await restoreLocked(ctx, tx, caller, trashed)
    return 'undone'
  })
}

export function restoreEditedComments<Change extends ChangedComment>(
  { ctx, tx, caller }: CommentUndo,
  changes: readonly Change[],
): Promise<UndoneComments<Change>> {
  return undoEach(changes, async ({ commentId, text }) => {
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
