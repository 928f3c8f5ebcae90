// Statements about reminders.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Author } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { DeletedRecords } from '../model/objects/deleted-records.ts'
import { isHere } from '../placement/placement.ts'
import { moveBelongings, returnBelongings } from '../records/merge/belongings.ts'
import type { UndoneMerge } from '../records/merge/context.ts'
import type { InboxOwner } from './inbox-store.ts'

export interface ReminderRow {
  id: string
  type: 'record' | 'task'
  subjectId: string
  objectId: string | null
  /** Only for tasks. */
  title: string | null
  note: string
  at: string
  beforeMinutes: number | null
}

const columns: Sql = sql`
  r.id, r.subject_type as type, r.subject as "subjectId", o.id as "objectId", a.title, r.note, r.due_at as at,
  r.before_minutes as "beforeMinutes"`

/** FROM item: reminders `r` with their object `o` or task `a`, if it exists. */
const source: Sql = sql`
  reminders r
  left join objects o on o.org = r.org and o.obj = r.obj and o.deleted_at is null
  left join activities a on r.subject_type = 'task' and a.org = r.org and a.id = r.subject`

const isThere: Sql = sql`case r.subject_type
  when 'task' then a.id is not null
  else o.id is not null and exists (select from records t where t.org = r.org and t.obj = r.obj and t.id = r.subject) end`

const isOwn = ({ org, userId }: InboxOwner): Sql =>
  sql`r.org = ${org} and r.user_id = ${userId} and r.delivered_at is null and ${isThere}`

const SHOWN_MAX = 200

export const selectReminders = (db: Db, owner: InboxOwner, subject: string | undefined) =>
  db.many<ReminderRow>(sql`
    select ${columns} from ${source}
    where ${isOwn(owner)} ${subject === undefined ? empty : sql`and r.subject = ${subject}`}
    order by r.due_at, r.id limit ${SHOWN_MAX}`)

export const findReminder = (db: Db, owner: InboxOwner, id: string) =>
  db.maybeOne<ReminderRow>(sql`select ${columns} from ${source} where ${isOwn(owner)} and r.id = ${id}`)

export const countReminders = (db: Db, { org, userId }: InboxOwner): Promise<number> =>
  db.value<number>(sql`
    select count(*) from reminders where org = ${org} and user_id = ${userId} and delivered_at is null`)

export interface NewReminderRow {
  id: string
  type: 'record' | 'task'
  subject: string
  obj: number | null
  note: string
  at: string
  beforeMinutes: number | null
}

export const insertReminder = (db: Db, { org, userId }: InboxOwner, row: NewReminderRow) =>
  db.run(sql`
    insert into reminders (org, id, user_id, subject_type, subject, obj, note, due_at, before_minutes)
    values (${org}, ${row.id}, ${userId}, ${row.type}, ${row.subject}, ${row.obj}, ${row.note}, ${row.at},
      ${row.beforeMinutes})`)

export const updateReminder = (
  db: Db,
  { org, userId }: InboxOwner,
  { id, note, at, beforeMinutes }: Pick<NewReminderRow, 'id' | 'note' | 'at' | 'beforeMinutes'>,
) =>
  db.run(sql`
    update reminders set note = ${note}, due_at = ${at}, before_minutes = ${beforeMinutes}
    where org = ${org} and user_id = ${userId} and id = ${id} and delivered_at is null`)

export const deleteReminder = (db: Db, { org, userId }: InboxOwner, id: string) =>
  db.run(sql`
    delete from reminders where org = ${org} and user_id = ${userId} and id = ${id} and delivered_at is null`)

/** A task with its due date. A task dated at its creation has no due date. */
export const findTask = (db: Db, org: number, id: string) =>
  db.maybeOne<{ type: string; dueAt: string | null }>(sql`
    select type, case when activity_date <> uuid_extract_timestamp(id) then activity_date end as "dueAt"
    from activities where org = ${org} and id = ${id}`)

/** Reminders of a task follow its due date: one whose new time is in the future is delivered again. */
export const moveReminders = (tx: Db, org: number, task: string) =>
  tx.run(sql`
    update reminders r set due_at = a.activity_date - make_interval(mins => r.before_minutes),
      delivered_at = case when a.activity_date - make_interval(mins => r.before_minutes) > now() then null
        else r.delivered_at end
    from activities a
    where r.org = ${org} and r.subject = ${task} and r.before_minutes is not null and a.org = r.org and a.id = r.subject`)

export interface DueReminder extends InboxOwner {
  id: string
  type: 'record' | 'task'
  subject: string
  obj: number | null
  note: string
  key: string
  isDone: boolean
}

/** Selects due reminders and marks them as delivered. */
export const takeDueReminders = (tx: Db, now: Date, limit: number): Promise<DueReminder[]> =>
  tx.many<DueReminder>(sql`
    with due as (
      update reminders r set delivered_at = clock_timestamp()
      where (r.org, r.id) in (
        select w.org, w.id from reminders w
        where w.delivered_at is null and w.due_at <= ${now}::timestamptz and ${isHere(sql`w.org`)}
        order by w.due_at limit ${limit} for update skip locked)
      returning r.*)
    select d.org, d.user_id as "userId", d.id, d.subject_type as type, d.subject, d.obj, d.note,
      'reminder:' || d.id || ':' || extract(epoch from d.due_at)::bigint as key, exists (
        select from activities a
        where d.subject_type = 'task' and a.org = d.org and a.id = d.subject and a.completed_at is not null) as "isDone"
    from due d order by d.org, d.user_id, d.due_at`)

/** Deletes reminders delivered more than `days` ago: a later due date no longer delivers them again. */
export const deleteOldReminders = (
  db: Db,
  { now, days, limit }: { now: Date; days: number; limit: number },
) =>
  db.run(sql`
    delete from reminders where (org, id) in (
      select org, id from reminders
      where delivered_at < ${now}::timestamptz - make_interval(days => ${days}) limit ${limit})`)

const REMINDERS = { kind: 'reminder', table: 'reminders', column: 'subject' } as const

/** Moves reminders of merged records to their successor. Reminders of deleted records are kept, but not shown. */
export async function moveRemindersOf(
  tx: Db,
  author: Author,
  { ids, successor }: DeletedRecords,
): Promise<void> {
  if (successor) await moveBelongings(tx, author, REMINDERS, { ids, successor })
}

export const returnReminders = (tx: Db, author: Author, merge: UndoneMerge): Promise<number> =>
  returnBelongings(tx, author, REMINDERS, merge)
