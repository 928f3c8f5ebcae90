// What the worker does about notifications beside consuming events.
import { NOTIFICATION_DAYS } from '../../contract/notification-kinds.ts'
import type { Db } from '../db/pool.ts'
import { inBatches } from '../jobs/jobs.ts'
import type { NotificationContext } from './context.ts'
import { selectDueTasks } from './due-store.ts'
import { deleteOldNotifications } from './inbox-store.ts'
import { type News, notify } from './notify.ts'
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

/** Notifies members of their tasks that are due today, and of those that are overdue. */
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

const newsOf = ({ userId, key, type, subject: id, obj, note }: DueReminder): News => ({
  userId,
  kind: 'reminder',
  key,
  subject: { type, id, ...(obj !== null && { obj }) },
  ...(note !== '' && { note }),
})

/** Delivers reminders whose time has come. Tasks that are done need none. */
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
