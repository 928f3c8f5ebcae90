// The inbox of a member: notifications whose subject exists. Each change increases the version of the inbox, by which
// open dashboards detect it.
import sql, { empty, type Sql } from 'sql-template-tag'
import { type NotificationKind, UNREAD_COUNT_MAX } from '../../contract/notification-kinds.ts'
import type { Notification, SubjectType } from '../../contract/notifications.ts'
import type { Db } from '../db/pool.ts'
import type { CursorPosition } from '../http/cursor.ts'
import type { PageSpan } from '../http/paging.ts'

export interface InboxOwner {
  org: number
  userId: string
}

const thing = (table: Sql): Sql =>
  sql`exists (select from ${table} t where t.org = n.org and t.id = n.subject)`

/** Whether the subject of `notifications n` exists. A notification about several records needs only their object. */
const isThere: Sql = sql`(
  case n.subject_type
    when 'record' then exists (
      select from objects b where b.org = n.org and b.obj = n.obj and b.is_active and b.deleted_at is null)
      and (n.count > 1 or exists (
        select from records r
        where r.org = n.org and r.obj = n.obj and r.id = coalesce(c.record_id, n.subject)))
    when 'task' then ${thing(sql`activities`)}
    when 'import' then ${thing(sql`imports`)}
    when 'workflow' then ${thing(sql`workflows`)}
    else ${thing(sql`webhook_endpoints`)} end
  and (n.comment is null or c.id is not null))`

/** `notifications n` with the comment `c` of a mention; a merge may have moved the comment to another record. */
const source: Sql = sql`notifications n left join comments c on c.org = n.org and c.id = n.comment`

const isOwn = ({ org, userId }: InboxOwner): Sql =>
  sql`n.org = ${org} and n.user_id = ${userId} and n.is_shown`

export interface NotificationRow extends Omit<Notification, 'subject'> {
  subjectType: SubjectType
  subjectId: string
  objectId: string | null
  /** null for records. */
  subjectName: string | null
  /** Sort key: ISO 8601 with microseconds. */
  place: string
}

const columns: Sql = sql`
  n.id, n.kind, n.count, n.subject_type as "subjectType", coalesce(c.record_id, n.subject) as "subjectId",
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as actor,
  case when w.id is not null then json_build_object('id', w.id, 'name', w.name) end as workflow,
  coalesce(b.id, ib.id) as "objectId", a.slug as attribute, n.comment as "commentId",
  coalesce(c.text, n.note) as text, n.changed_at as at, n.read_at as "readAt", n.archived_at as "archivedAt",
  case n.subject_type
    when 'task' then (select t.title from activities t where t.org = n.org and t.id = n.subject)
    when 'import' then i.file_name
    when 'workflow' then (select t.name from workflows t where t.org = n.org and t.id = n.subject)
    when 'endpoint' then (select t.url from webhook_endpoints t where t.org = n.org and t.id = n.subject) end as "subjectName",
  to_char(n.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place`

const joins: Sql = sql`
  left join users u on u.id = n.actor and n.workflow is null
  left join workflows w on w.org = n.org and w.id = n.workflow
  left join objects b on b.org = n.org and b.obj = n.obj
  left join attributes a on a.org = n.org and a.obj = n.obj and a.attr = n.attr
  left join imports i on n.subject_type = 'import' and i.org = n.org and i.id = n.subject
  left join objects ib on ib.org = n.org and ib.obj = i.obj`

const STATES: Readonly<Record<'open' | 'unread' | 'archived', Sql>> = {
  open: sql`n.archived_at is null`,
  unread: sql`n.archived_at is null and n.read_at is null`,
  archived: sql`n.archived_at is not null`,
}

interface InboxFilter {
  state: keyof typeof STATES
  kind: NotificationKind | undefined
}

const after = ({ key, id }: CursorPosition): Sql =>
  sql`and (n.changed_at, n.id) < (${key}::timestamptz, ${id}::uuid)`

/** Newest first. */
export async function selectNotifications(
  db: Db,
  owner: InboxOwner,
  { state, kind }: InboxFilter,
  { position, limit, offset, count }: PageSpan,
): Promise<{ found: NotificationRow[]; total: number | undefined }> {
  const ofKind = kind ? sql`and n.kind = ${kind}` : empty
  const listed = sql`where ${isOwn(owner)} and ${STATES[state]} and ${isThere} ${ofKind}`
  const found = await db.many<NotificationRow>(sql`
    select ${columns} from ${source} ${joins} ${listed} ${position ? after(position) : empty}
    order by n.changed_at desc, n.id desc limit ${limit + 1} offset ${offset}`)
  const total = count ? await db.value<number>(sql`select count(*) from ${source} ${listed}`) : undefined
  return { found, total }
}

/** Unread notifications, also those that the inbox does not show; newest first. */
export const selectUnreadByIds = (db: Db, { org, userId }: InboxOwner, ids: readonly string[]) =>
  db.many<NotificationRow>(sql`
    select ${columns} from ${source} ${joins}
    where n.org = ${org} and n.user_id = ${userId} and n.id = any(${ids}::uuid[]) and ${STATES.unread} and ${isThere}
    order by n.changed_at desc, n.id desc`)

export const findNotification = (db: Db, owner: InboxOwner, id: string) =>
  db.maybeOne<NotificationRow>(sql`
    select ${columns} from ${source} ${joins} where ${isOwn(owner)} and n.id = ${id} and ${isThere}`)

/** Up to UNREAD_COUNT_MAX. */
export const countUnread = (db: Db, owner: InboxOwner): Promise<number> =>
  db.value<number>(sql`
    select count(*) from (
      select from ${source} where ${isOwn(owner)} and ${STATES.unread} and ${isThere}
      limit ${UNREAD_COUNT_MAX}) as unread`)

export const markAllRead = (tx: Db, owner: InboxOwner): Promise<number> =>
  tx.run(sql`
    update notifications n set read_at = clock_timestamp()
    where ${isOwn(owner)} and n.read_at is null and n.archived_at is null`)

const timeIf = (isSet: boolean | undefined, column: Sql): Sql => {
  if (isSet === undefined) return column
  return isSet ? sql`coalesce(${column}, clock_timestamp())` : sql`null`
}

/** Archiving a notification marks it as read. */
export const updateNotification = (
  tx: Db,
  owner: InboxOwner,
  id: string,
  { isRead, isArchived }: { isRead?: boolean | undefined; isArchived?: boolean | undefined },
): Promise<number> =>
  tx.run(sql`
    update notifications n set read_at = ${timeIf(isRead ?? (isArchived || undefined), sql`n.read_at`)},
      archived_at = ${timeIf(isArchived, sql`n.archived_at`)}
    where ${isOwn(owner)} and n.id = ${id}`)

/** Keeps the row, so that the same event does not notify again. */
export const hideNotification = (tx: Db, owner: InboxOwner, id: string): Promise<number> =>
  tx.run(sql`
    update notifications n set is_shown = false, mail = 'off' where ${isOwn(owner)} and n.id = ${id}`)

/** Leaves the versions of inboxes unchanged: open dashboards do not reload. */
export const deleteOldNotifications = (
  db: Db,
  { now, days, limit }: { now: Date; days: number; limit: number },
) =>
  db.run(sql`
    delete from notifications where (org, id) in (
      select org, id from notifications where changed_at < ${now}::timestamptz - make_interval(days => ${days})
      order by changed_at limit ${limit})`)

/**
 * Versions by which open dashboards detect a changed inbox, by the index of the owner in the list. An inbox that never
 * changed has no version.
 */
export async function selectInboxVersions(
  db: Db,
  owners: readonly InboxOwner[],
): Promise<Map<number, string>> {
  const rows = await db.many<{ nr: number; version: string }>(sql`
    select owner.nr - 1 as nr, i.version::text as version
    from unnest(${owners.map(({ org }) => org)}::int[], ${owners.map(({ userId }) => userId)}::uuid[])
      with ordinality as owner (org, user_id, nr)
    cross join lateral (
      select version from inboxes i where i.org = owner.org and i.user_id = owner.user_id offset 0) as i`)
  return new Map(rows.map(({ nr, version }) => [nr, version]))
}
