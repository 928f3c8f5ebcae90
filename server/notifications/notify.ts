// Writes notifications, in the transaction of the change they are about. The inbox of each recipient is locked first:
// concurrent writers wait for each other, so that notifications of one group are counted together.
import sql from 'sql-template-tag'
import { NOTIFICATION_KINDS, type NotificationKind } from '../../contract/notification-kinds.ts'
import type { SubjectType } from '../../contract/notifications.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'

/** Changes with shorter pauses, such as those of one bulk request or import, are one notification. */
export const TOGETHER_SECONDS = 120

interface Subject {
  type: SubjectType
  id: string
  /** Only for records. */
  obj?: number
}

export interface NewNotification {
  userId: string
  kind: NotificationKind
  /** Identifies what happened: each user is notified of a key once. */
  key: string
  subject: Subject
  comment?: string
  attr?: number
  note?: string
  /** A notification adds to the count of an unread one of its group that changed less than `seconds` ago. */
  group?: { key: string; seconds: number }
  count?: number
}

/** The actor: a user or a workflow. */
export interface Doer {
  org: number
  userId: string | null
  workflow?: string | null | undefined
}

const toRow = ({ subject, group, kind, ...one }: NewNotification) => ({
  id: newId(),
  user_id: one.userId,
  kind,
  key: one.key,
  group_key: group?.key ?? null,
  seconds: group?.seconds ?? 0,
  count: one.count ?? 1,
  subject_type: subject.type,
  subject: subject.id,
  obj: subject.obj ?? null,
  attr: one.attr ?? null,
  comment: one.comment ?? null,
  note: one.note ?? null,
  default_mail: NOTIFICATION_KINDS[kind].mail,
})

/** Locks inboxes in a fixed order, so that concurrent transactions do not deadlock. */
export const touchInboxes = (tx: Db, org: number, userIds: readonly string[]): Promise<number> =>
  tx.run(sql`
    insert into inboxes as i (org, user_id)
    select ${org}, m.user_id from organizations o join members m on m.organization_id = o.id
    where o.org = ${org} and m.user_id = any(${userIds}::uuid[]) order by m.user_id
    on conflict (org, user_id) do update set version = i.version + 1`)

/** Notifies only members, according to their settings, and each user of a key only once. */
export async function notify(
  tx: Db,
  { org, userId, workflow = null }: Doer,
  news: readonly NewNotification[],
): Promise<void> {
  if (news.length === 0) return
  await touchInboxes(tx, org, [...new Set(news.map((one) => one.userId))])
  await tx.run(sql`
    with wanted as (
      select r.*, c.is_shown, c.mail
      from jsonb_to_recordset(${JSON.stringify(news.map(toRow))}::jsonb) as r(
        id uuid, user_id uuid, kind text, key text, group_key text, seconds int, count int, subject_type text,
        subject uuid, obj int, attr int, comment uuid, note text, default_mail text)
      join organizations o on o.org = ${org}
      join members m on m.organization_id = o.id and m.user_id = r.user_id
      left join notification_settings s on s.org = ${org} and s.user_id = r.user_id
      cross join lateral (
        select coalesce((s.kinds->r.kind->>'inApp')::boolean, true) as is_shown,
          -- Immediate mail about endpoints is sent by webhooks/jobs.ts.
          case when r.kind = 'endpoint' and coalesce(s.kinds->r.kind->>'mail', r.default_mail) = 'now' then 'off'
            else coalesce(s.kinds->r.kind->>'mail', r.default_mail) end as mail) as c
      where c.is_shown or c.mail <> 'off'),
    grown as (
      update notifications n set count = n.count + w.count, note = coalesce(w.note, n.note),
        changed_at = clock_timestamp(), mailed_at = case n.mail when 'daily' then null else n.mailed_at end
      from wanted w
      where n.org = ${org} and n.user_id = w.user_id and n.group_key = w.group_key and n.read_at is null
        and n.archived_at is null and n.changed_at > clock_timestamp() - make_interval(secs => w.seconds)
        and n.key <> w.key
      returning n.user_id, n.group_key)
    insert into notifications (org, id, user_id, kind, key, group_key, count, actor, workflow, subject_type, subject,
      obj, attr, comment, note, is_shown, mail)
    select ${org}, w.id, w.user_id, w.kind, w.key, w.group_key, w.count, ${userId}::uuid, ${workflow}::uuid,
      w.subject_type, w.subject, w.obj, w.attr, w.comment, w.note, w.is_shown, w.mail
    from wanted w
    where not exists (select from grown g where g.user_id = w.user_id and g.group_key = w.group_key)
    on conflict (org, user_id, key) do nothing`)
}
