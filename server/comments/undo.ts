// Undoes changes of comments, each of another one, for their author and for those who may delete all comments: created ones
// go to the trash, deleted ones return from it, and edited ones get their earlier text unless it was edited since.
import type { UndoJobConflictCode } from '../../contract/undo-jobs.ts'
import type { Caller } from '../base/caller.ts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import type { ModelContext } from '../model/attributes/models.ts'
import { mayDeleteAll, requireWritable, restoreText, trashLocked } from './service.ts'
import { findComment, lockComment, type StoredComment } from './store.ts'
import type { ChangedText } from './texts-store.ts'
import { restoreLocked } from './trash.ts'
import { lockTrashedComment } from './trash-store.ts'

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

/** @returns whether what was done to a comment of this author may be undone */
async function rights({ tx, caller }: CommentUndo): Promise<(author: string) => boolean> {
  const isForAll = await mayDeleteAll(tx, caller)
  return (author) => isForAll || author === caller.userId
}

/** A comment of which nothing is known from its creation was not edited. */
const isEdited = ({ text, editedAt }: StoredComment, created: ChangedText | null): boolean =>
  created ? text !== created.after : editedAt !== null

/** Those that are gone are left alone. */
export async function trashCreatedComments<Change extends ChangedComment>(
  undo: CommentUndo,
  changes: readonly Change[],
): Promise<UndoneComments<Change>> {
  const { ctx, tx, caller } = undo
  const mayUndo = await rights(undo)
  return undoEach(changes, async ({ commentId, text }) => {
    const comment = await lockComment(tx, caller.org, commentId)
    if (!comment) return 'nothing'
    if (!mayUndo(comment.createdBy.id)) return 'comment_of_another'
    if (isEdited(comment, text)) return 'comment_edited'
    await requireWritable(ctx, tx, caller.org, comment)
    await trashLocked(tx, caller, comment)
    return 'undone'
  })
}

/** Those that are there again stay as they are. */
export async function returnDeletedComments<Change extends ChangedComment>(
  undo: CommentUndo,
  changes: readonly Change[],
): Promise<UndoneComments<Change>> {
  const { ctx, tx, caller } = undo
  const mayUndo = await rights(undo)
  return undoEach(changes, async ({ commentId }) => {
    const trashed = await lockTrashedComment(tx, caller.org, commentId)
    if (!trashed) return (await findComment(tx, caller.org, commentId)) ? 'nothing' : 'comment_purged'
    if (!mayUndo(trashed.author)) return 'comment_of_another'
    await restoreLocked(ctx, tx, caller, trashed)
    return 'undone'
  })
}

export async function restoreEditedComments<Change extends ChangedComment>(
  undo: CommentUndo,
  changes: readonly Change[],
): Promise<UndoneComments<Change>> {
  const { ctx, tx, caller } = undo
  const mayUndo = await rights(undo)
  return undoEach(changes, async ({ commentId, text }) => {
    const comment = await lockComment(tx, caller.org, commentId)
    if (!comment) return 'comment_gone'
    if (!mayUndo(comment.createdBy.id)) return 'comment_of_another'
    if (!text || text.before === null) return 'comment_unknown'
    if (comment.text === text.before) return 'nothing'
    if (comment.text !== text.after) return 'value_changed'
    await requireWritable(ctx, tx, caller.org, comment)
    await restoreText(tx, caller, comment, text.before)
    return 'undone'
  })
}
