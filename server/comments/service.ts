// Rules and transactions of comments.
import type { Comment, CommentList, CommentPatch, CommentQuery, NewComment } from '../../contract/comments.ts'
import { isUuid } from '../../contract/common.ts'
import type { CommentChange } from '../../contract/events.ts'
import { MENTIONS_MAX } from '../../contract/limits.ts'
import { mentionedIn } from '../../contract/mentions.ts'
import { isAtLeast } from '../../contract/roles.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { recordEvent } from '../events/outbox.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, pageOf } from '../http/paging.ts'
import { requireStorable } from '../http/storable.ts'
import { findRole, selectMemberIds } from '../identity/members/store.ts'
import type { ModelContext } from '../model/attributes/models.ts'
import { notify } from '../notifications/notify.ts'
import type { RecordContext } from '../records/context.ts'
import { keepRecord, requireRecord } from '../records/read/one-record.ts'
import {
  findComment,
  insertComment,
  lockComment,
  type StoredComment,
  selectComments,
  updateComment,
} from './store.ts'
import { forgetTakenBack, keepText } from './texts-store.ts'
import { trashComment } from './trash-store.ts'

export interface RecordParams {
  objectId: string
  recordId: string
}

const bare = ({ obj: _, ...comment }: StoredComment): Comment => comment

/** Lists the newest first. @throws 400 invalid_parameter, 404 not_found */
export async function listComments(
  ctx: RecordContext,
  { org }: Caller,
  params: RecordParams,
  query: CommentQuery,
): Promise<CommentList> {
  const place = await requireRecord(ctx, org, params, 'read')
  const asked = askedPage(query, { seal: sealOf(['comments', org, place.id]) })
  const { rows: comments, pagination } = pageOf(asked, await selectComments(ctx.db, org, place, asked))
  return { comments, pagination }
}

type Find = (db: Db, org: number, id: string) => Promise<StoredComment | undefined>

async function requireComment(db: Db, org: number, id: string, find: Find): Promise<StoredComment> {
  const found = isUuid(id) ? await find(db, org, id) : undefined
  if (!found) throw notFound('comment')
  return found
}

/** @throws 404 not_found */
export const getComment = async ({ db }: { db: Db }, { org }: Caller, id: string): Promise<Comment> =>
  bare(await requireComment(db, org, id, findComment))

/** @throws 400 validation_error */
async function requireMentions(
  db: Db,
  { orgId }: Caller,
  text: string,
  before: readonly string[] = [],
): Promise<string[]> {
  const mentions = mentionedIn(text)
  if (mentions.length > MENTIONS_MAX)
    throw invalidField('text', 'too_many', `must mention at most ${MENTIONS_MAX} members: mention fewer`)
  const members = await selectMemberIds(db, orgId, mentions)
  const unknown = mentions.find((id) => !members.has(id) && !before.includes(id))
  if (unknown !== undefined)
    throw invalidField(
      'text',
      'invalid_reference',
      `must mention members by their user ids: <@${unknown}> is none`,
    )
  return mentions
}

/** @param before the text before an edit */
async function announce(
  tx: Db,
  caller: Caller,
  { type, comment, before = null }: { type: CommentChange; comment: Comment; before?: string | null },
): Promise<void> {
  const event = newId()
  await recordEvent(tx, caller, {
    id: event,
    type,
    subject: comment.id,
    data: {
      commentId: comment.id,
      recordId: comment.recordId,
      objectId: comment.objectId,
      createdBy: comment.createdBy.id,
      mentions: comment.mentions.map(({ id }) => id),
    },
  })
  if (type !== 'comment.deleted')
    await keepText(tx, caller, { event, comment: comment.id, before, after: comment.text })
}

const notifyMentioned = (tx: Db, caller: Caller, { obj, ...comment }: StoredComment, users: string[]) =>
  notify(
    tx,
    caller,
    users
      .filter((userId) => userId !== caller.userId)
      .map((userId) => ({
        userId,
        kind: 'mentioned',
        key: `mentioned:${comment.id}`,
        subject: { type: 'record', obj, id: comment.recordId },
        comment: comment.id,
      })),
  )

/** Writes the event and the notifications of a changed comment. @returns the current comment */
async function commit(
  tx: Db,
  caller: Caller,
  type: CommentChange,
  { id, users, before }: { id: string; users: string[]; before?: string },
): Promise<Comment> {
  const comment = await requireComment(tx, caller.org, id, findComment)
  await announce(tx, caller, { type, comment, ...(before !== undefined && { before }) })
  await notifyMentioned(tx, caller, comment, users)
  return bare(comment)
}

/** @throws 400 validation_error, 404 not_found, 409 object_inactive */
export async function createComment(
  ctx: RecordContext,
  caller: Caller,
  params: RecordParams,
  { text }: NewComment,
): Promise<Comment> {
  requireStorable({ text })
  const place = await requireRecord(ctx, caller.org, params, 'write')
  return ctx.db.transaction(async (tx) => {
    if (!(await keepRecord(tx, caller.org, place))) throw notFound('record')
    const mentions = await requireMentions(tx, caller, text)
    const id = newId()
    const { userId, keyId } = caller
    await insertComment(tx, caller.org, { id, place, text, mentions, userId, keyId })
    return commit(tx, caller, 'comment.created', { id, users: mentions })
  })
}

const notAuthor = (message: string) => new AppError('not_author', message)

/** @throws 409 object_inactive, 404 not_found */
export const requireWritable = (
  ctx: ModelContext,
  db: Db,
  org: number,
  { objectId, recordId }: Pick<Comment, 'objectId' | 'recordId'>,
) => requireRecord({ ...ctx, db }, org, { objectId, recordId }, 'write')

/** @throws 400 validation_error, 403 not_author, 404 not_found, 409 object_inactive */
export function patchComment(
  ctx: RecordContext,
  caller: Caller,
  id: string,
  patch: CommentPatch,
): Promise<Comment> {
  requireStorable(patch)
  return ctx.db.transaction(async (tx) => {
    const before = await requireComment(tx, caller.org, id, lockComment)
    if (before.createdBy.id !== caller.userId)
      throw notAuthor('Only the author of a comment can edit it: write another comment')
    await requireWritable(ctx, tx, caller.org, before)
    const { text = before.text } = patch
    if (text === before.text) return bare(before)
    const known = before.mentions.map((user) => user.id)
    const mentions = await requireMentions(tx, caller, text, known)
    await updateComment(tx, caller.org, { id: before.id, text, mentions })
    await forgetTakenBack(tx, caller.org, { comment: before.id, before: before.text, after: text })
    const users = mentions.filter((userId) => !known.includes(userId))
    return commit(tx, caller, 'comment.updated', { id: before.id, users, before: before.text })
  })
}

/** Whether the caller may delete and restore the comments of others, as owners and admins may. */
export async function mayDeleteAll(db: Db, { org, userId }: Caller): Promise<boolean> {
  const role = await findRole(db, org, userId)
  return role !== undefined && isAtLeast(role, 'admin')
}

/** The user whose comments the caller may delete and restore; null for all users. */
export const deletableCommentsOf = async (db: Db, caller: Caller): Promise<string | null> =>
  (await mayDeleteAll(db, caller)) ? null : caller.userId

/** @throws 403 not_author */
export async function requireDeletable(tx: Db, caller: Caller, author: string): Promise<void> {
  if (author === caller.userId || (await mayDeleteAll(tx, caller))) return
  throw notAuthor(
    'Only the author of a comment, an owner or an admin can delete or restore it: ask one of them',
  )
}

/** Writes the event of a restored comment, without notifications. */
export async function announceRestored(tx: Db, caller: Caller, id: string): Promise<Comment> {
  const comment = await requireComment(tx, caller.org, id, findComment)
  await announce(tx, caller, { type: 'comment.created', comment })
  return bare(comment)
}

export async function trashLocked(tx: Db, caller: Caller, comment: Comment): Promise<void> {
  await trashComment(tx, caller, comment.id)
  await announce(tx, caller, { type: 'comment.deleted', comment })
}

/** Restores an earlier text of a locked comment, without notifications. */
export async function restoreText(tx: Db, caller: Caller, comment: Comment, text: string): Promise<void> {
  await updateComment(tx, caller.org, { id: comment.id, text, mentions: mentionedIn(text) })
  await commit(tx, caller, 'comment.updated', { id: comment.id, users: [], before: comment.text })
}

/** Moves the comment to the trash. @returns its id @throws 403 not_author, 404 not_found, 409 object_inactive */
export function removeComment(ctx: RecordContext, caller: Caller, id: string): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    const comment = await requireComment(tx, caller.org, id, lockComment)
    await requireDeletable(tx, caller, comment.createdBy.id)
    await requireWritable(ctx, tx, caller.org, comment)
    await trashLocked(tx, caller, comment)
    return comment.id
  })
}
