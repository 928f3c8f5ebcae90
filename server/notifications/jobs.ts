// Jobs of the worker for notifications. The consumer of events is in consumer.ts.
import sql from 'sql-template-tag'
import { NOTIFICATION_DAYS } from '../../contract/notification-kinds.ts'
import type { Db } from '../db/pool.ts'
import { inBatches } from '../jobs/jobs.ts'
import { isHere } from '../placement/placement.ts'
import type { NotificationContext } from './context.ts'
import { deleteOldNotifications } from './inbox-store.ts'
import { type NewNotification, notify } from './notify.ts'
import { type DueReminder, deleteOldReminders, takeDueReminders } from './reminders-store.ts'

const BATCH = 5000
const DUE_BATCH = 1000

export async function forgetOldNotifications(
  { db }: { db: Db },
  signal: AbortSignal,
  now: Date,
): Promise<void> {
  const old = { now, days: NOTIFICATION_DAYS, limit: BATCH }
  await inBatches(signal, () => deleteOldNotifications(db, old))
  await inBatches(signal, () => deleteOldReminders(db, old))
}

/** Tasks that became overdue earlier are skipped. */
const DAYS_BACK = 7
/** Enough for every time zone. */
const HOURS_AHEAD = 48

interface DueTask {
  org: number
  id: string
  userId: string
  kind: 'due' | 'overdue'
  key: string
}

/**
 * Tasks whose assignee is not notified yet. A task is due today from the hour of the assignee's daily mail on, and
 * overdue when its time has passed. A changed due date makes a task due again. A task dated at its creation has no due
 * date.
 */
const selectDueTasks = (db: Db, now: Date, limit: number): Promise<DueTask[]> =>
  db.many<DueTask>(sql`
    select a.org, a.id, a.assignee as "userId", d.kind, d.key
    from activities a
    join organizations o on o.org = a.org
    join members m on m.organization_id = o.id and m.user_id = a.assignee
    left join notification_settings s on s.org = a.org and s.user_id = a.assignee
    cross join lateral (
      select ${now}::timestamptz at time zone coalesce(s.time_zone, o.time_zone) as now,
        a.activity_date at time zone coalesce(s.time_zone, o.time_zone) as due) as local
    cross join lateral (
      select case when a.activity_date < ${now}::timestamptz then 'overdue'
        when local.due::date = local.now::date and extract(hour from local.now) >= coalesce(s.digest_hour, 8) then 'due'
        end as kind) as k
    cross join lateral (
      select k.kind, k.kind || ':' || a.id || ':' || extract(epoch from a.activity_date)::bigint as key) as d
    where a.type = 'task' and a.assignee is not null and a.completed_at is null
      and a.activity_date > ${now}::timestamptz - make_interval(days => ${DAYS_BACK})
      and a.activity_date < ${now}::timestamptz + make_interval(hours => ${HOURS_AHEAD})
      and a.activity_date <> uuid_extract_timestamp(a.id)
      and d.kind is not null
      and (coalesce((s.kinds->d.kind->>'inApp')::boolean, true) or coalesce(s.kinds->d.kind->>'mail', 'off') <> 'off')
      and not exists (
        select from notifications n where n.org = a.org and n.user_id = a.assignee and n.key = d.key)
      and ${isHere(sql`a.org`)}
    limit ${limit}`)

/** Notifies members of their tasks that are due today or overdue. */
export async function notifyDue({ db, clock }: NotificationContext, signal: AbortSignal): Promise<void> {
  await inBatches(signal, async () => {
    const tasks = await selectDueTasks(db, clock.now(), DUE_BATCH)
    for (const [org, some] of Map.groupBy(tasks, (task) => task.org))
      await db.transaction((tx) =>
        notify(
          tx,
          { org, userId: null },
          some.map(({ userId, kind, key, id }) => ({ userId, kind, key, subject: { type: 'task', id } })),
        ),
      )
    return tasks.length
  })
}

const newsOf = ({ userId, key, type, subject: id, obj, note }: DueReminder): NewNotification => ({
  userId,
  kind: 'reminder',
  key,
  subject: { type, id, ...(obj !== null && { obj }) },
  ...(note !== '' && { note }),
})

/** Delivers due reminders, except reminders of completed tasks. */
export const deliverReminders = ({ db, clock }: NotificationContext, signal: AbortSignal): Promise<void> =>
  inBatches(signal, () =>
    db.transaction(async (tx) => {
      const due = await takeDueReminders(tx, clock.now(), DUE_BATCH)
      const open = due.filter(({ isDone }) => !isDone)
      for (const [org, some] of Map.groupBy(open, (one) => one.org))
        await notify(tx, { org, userId: null }, some.map(newsOf))
      return due.length
    }),
  )
