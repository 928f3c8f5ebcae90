// Deleted comments: callers that may delete a comment can list, restore and permanently delete it.
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import type { Comment, CommentQuery } from '../../contract/comments.ts'
import { isUuid } from '../../contract/common.ts'
import { type Caller, shownUser } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, pageOf } from '../http/paging.ts'
import type { ModelContext } from '../model/attributes/models.ts'
import type { RecordContext } from '../records/context.ts'
import { noteBelonging } from '../records/merge/belongings.ts'
import { keepRecord } from '../records/read/one-record.ts'
import { isMicros } from '../records/trash/page-position.ts'
import { purgeByOrganization } from '../records/trash/purge-by-organization.ts'
import { lockRestores } from '../records/trash/store.ts'
import { followMerges } from '../records/write/followed-merges.ts'
import { announceRestored, mayDeleteAll, requireDeletable, requireWritable } from './service.ts'
import {
  insertRestoredComment,
  lockTrashedComment,
  purgeComment,
  purgeDueComments,
  selectTrashedComments,
  type TrashedCommentRef,
  type TrashedRow,
} from './trash-store.ts'

/** @throws 400 invalid_parameter */
export async function listTrashedComments({ db }: { db: Db }, caller: Caller, query: CommentQuery) {
  const { org, userId } = caller
  const author = (await mayDeleteAll(db, caller)) ? undefined : userId
  const asked = askedPage(query, { seal: sealOf(['trashed-comments', org, author]), isKey: isMicros })
  const { rows, pagination } = pageOf(asked, {
    ...(await selectTrashedComments(db, { org, author }, asked)),
    positionOf: ({ micros, id }: TrashedRow) => ({ key: String(micros), id }),
  })
  const comments = rows.map(({ micros: _, deletedBy, ...row }) => ({
    ...row,
    deletedBy: shownUser(caller, deletedBy),
  }))
  return { comments, pagination }
}

/** @throws 403 not_author, 404 not_found */
async function requireTrashed(tx: Db, caller: Caller, id: string): Promise<TrashedCommentRef> {
  const found = isUuid(id) ? await lockTrashedComment(tx, caller.org, id) : undefined
  if (!found) throw notFound('comment')
  await requireDeletable(tx, caller, found.author)
  return found
}

/** Restores a locked comment. @throws 404 not_found, 409 object_inactive before any write */
export async function restoreLocked(
  ctx: ModelContext,
  tx: Db,
  caller: Caller,
  trashed: TrashedCommentRef,
): Promise<Comment> {
  const { org } = caller
  const { winners, merges } = await followMerges(tx, { org, obj: trashed.obj }, [trashed.recordId])
  const place = { ...trashed, recordId: winners.get(trashed.recordId)?.id ?? trashed.recordId }
  await requireWritable(ctx, tx, org, place)
  if (!(await keepRecord(tx, org, { obj: place.obj, id: place.recordId }))) throw notFound('record')
  await insertRestoredComment(tx, org, place)
  await noteBelonging(tx, org, { kind: 'comment', id: place.id }, merges)
  return announceRestored(tx, caller, place.id)
}

/** @throws 403 not_author, 404 not_found, 409 object_inactive */
export const restoreComment = (ctx: RecordContext, caller: Caller, id: string): Promise<Comment> =>
  ctx.db.transaction(async (tx) => {
    // Without the lock, a concurrent undo of a merge would leave the comment with the winner.
    await lockRestores(tx, caller.org)
    return restoreLocked(ctx, tx, caller, await requireTrashed(tx, caller, id))
  })

/** Deletes the comment permanently. @returns its id @throws 403 not_author, 404 not_found */
export function removeTrashedComment({ db }: { db: Db }, caller: Caller, id: string): Promise<string> {
  return db.transaction(async (tx) => {
    const found = await requireTrashed(tx, caller, id)
    await purgeComment(tx, caller.org, found.id)
    return found.id
  })
}

export const purgeOldComments = (
  ctx: { db: Db; log: Logger },
  signal: AbortSignal,
  now: Date,
): Promise<void> =>
  purgeByOrganization(
    ctx,
    {
      table: sql`trash_comments`,
      failure: 'the deleted comments of an organization could not be purged',
      purgeBatch: (due) => purgeDueComments(ctx.db, due),
    },
    { signal, now },
  )
