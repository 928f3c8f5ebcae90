// The inbox and the reminders of the signed-in member.
import { notificationRoutes } from '../../contract/notifications.ts'
import { reminderRoutes } from '../../contract/reminders.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { createReminder, listReminders, patchReminder, removeReminder } from './reminders.ts'
import { getUnread, listNotifications, patchNotification, readAll, removeNotification } from './service.ts'
import { getSettings, patchSettings } from './settings.ts'

export function addNotificationRoutes(app: App): void {
  addRoute(app, notificationRoutes.listNotifications, ({ ctx, caller, query }) =>
    listNotifications(ctx, caller, query),
  )
  addRoute(app, notificationRoutes.countUnread, ({ ctx, caller }) => getUnread(ctx, caller))
  addRoute(app, notificationRoutes.markAllRead, ({ ctx, caller }) => readAll(ctx, caller))
  addRoute(app, notificationRoutes.getNotificationSettings, ({ ctx, caller }) => getSettings(ctx, caller))
  addRoute(app, notificationRoutes.updateNotificationSettings, ({ ctx, caller, body }) =>
    patchSettings(ctx, caller, body),
  )
  addRoute(app, notificationRoutes.updateNotification, ({ ctx, caller, params, body }) =>
    patchNotification(ctx, caller, params.notificationId, body),
  )
  addRoute(app, notificationRoutes.deleteNotification, async ({ ctx, caller, params }) => ({
    id: await removeNotification(ctx, caller, params.notificationId),
    deleted: true as const,
  }))
}

export function addReminderRoutes(app: App): void {
  addRoute(app, reminderRoutes.listReminders, async ({ ctx, caller, query }) => ({
    reminders: await listReminders(ctx, caller, query),
  }))
  addRoute(app, reminderRoutes.createReminder, ({ ctx, caller, body }) => createReminder(ctx, caller, body))
  addRoute(app, reminderRoutes.updateReminder, ({ ctx, caller, params, body }) =>
    patchReminder(ctx, caller, params.reminderId, body),
  )
  addRoute(app, reminderRoutes.deleteReminder, async ({ ctx, caller, params }) => ({
    id: await removeReminder(ctx, caller, params.reminderId),
    deleted: true as const,
  }))
}
