// The inbox of the signed-in member.
import { isUuid } from '../../contract/common.ts'
import { mentionedIn, withNames } from '../../contract/mentions.ts'
import type {
  Inbox,
  Notification,
  NotificationPatch,
  NotificationQuery,
  Unread,
} from '../../contract/notifications.ts'
import type { Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, pageOf } from '../http/paging.ts'
import { selectUserNames } from '../identity/members/store.ts'
import type { ModelContext } from '../model/attributes/models.ts'
import { recordNames } from '../records/names/names.ts'
import type { NotificationContext } from './context.ts'
import {
  countUnread,
  findNotification,
  hideNotification,
  markAllRead,
  type NotificationRow,
  selectNotifications,
  updateNotification,
} from './inbox-store.ts'
import { touchInboxes } from './notify.ts'

/** Adds the names of records and of mentioned users. */
export async function named(
  { db, models }: ModelContext,
  org: number,
  rows: readonly NotificationRow[],
): Promise<Notification[]> {
  const refs = rows.flatMap(({ subjectType, subjectId, objectId }) =>
    subjectType === 'record' && objectId !== null ? [{ objectId, recordId: subjectId }] : [],
  )
  const names = new Map(
    (await recordNames({ db, models }, org, refs)).map(({ recordId, name }) => [recordId, name]),
  )
  const mentioned = new Set(rows.flatMap(({ text }) => mentionedIn(text ?? '')))
  const users = await selectUserNames(db, org, [...mentioned])
  return rows.map(({ subjectType, subjectId, subjectName, objectId, place: _, text, ...row }) => ({
    ...row,
    text: text && withNames(text, (id) => users.get(id) ?? 'former member'),
    subject: {
      type: subjectType,
      id: subjectId,
      objectId,
      name: subjectName ?? names.get(subjectId) ?? '',
    },
  }))
}

const isPlace = (key: unknown): key is string =>
  typeof key === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(key) &&
  !Number.isNaN(Date.parse(key))

/** @throws 400 invalid_parameter */
export async function listNotifications(
  ctx: NotificationContext,
  { org, userId }: Caller,
  { state = 'open', kind, ...params }: NotificationQuery,
): Promise<Inbox> {
  const seal = sealOf(['inbox', org, userId, state, kind ?? null])
  const asked = askedPage(params, { seal, isKey: isPlace })
  const positionOf = ({ place, id }: NotificationRow) => ({ key: place, id })
  const read = await selectNotifications(ctx.db, { org, userId }, { state, kind }, asked)
  const { rows, pagination } = pageOf(asked, { ...read, positionOf })
  return { notifications: await named(ctx, org, rows), pagination }
}

export const getUnread = async ({ db }: { db: Db }, { org, userId }: Caller): Promise<Unread> => ({
  unread: await countUnread(db, { org, userId }),
})

/** Locks the inbox before its rows, in the same order as writers of notifications. */
const changeInbox = <Result>(
  { db }: { db: Db },
  { org, userId }: Caller,
  change: (tx: Db) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    await touchInboxes(tx, org, [userId])
    return change(tx)
  })

export async function readAll(ctx: NotificationContext, caller: Caller): Promise<Unread> {
  await changeInbox(ctx, caller, (tx) => markAllRead(tx, caller))
  return getUnread(ctx, caller)
}

const requireId = (id: string): string => {
  if (!isUuid(id)) throw notFound('notification')
  return id
}

/** @throws 404 not_found */
export async function patchNotification(
  ctx: NotificationContext,
  caller: Caller,
  id: string,
  patch: NotificationPatch,
): Promise<Notification> {
  requireId(id)
  const row = await changeInbox(ctx, caller, async (tx) => {
    if (Object.keys(patch).length > 0) await updateNotification(tx, caller, id, patch)
    return findNotification(tx, caller, id)
  })
  const [notification] = row ? await named(ctx, caller.org, [row]) : []
  if (!notification) throw notFound('notification')
  return notification
}

/** @returns its id @throws 404 not_found */
export async function removeNotification(
  ctx: NotificationContext,
  caller: Caller,
  id: string,
): Promise<string> {
  requireId(id)
  const removed = await changeInbox(ctx, caller, (tx) => hideNotification(tx, caller, id))
  if (removed === 0) throw notFound('notification')
  return id.toLowerCase()
}
