// Requests for the inbox and the notification settings of the signed-in member.
import { queryOptions } from '@tanstack/react-query'
import type { NotificationKind } from '../../../contract/notification-kinds.ts'
import type {
  Notification,
  NotificationPatch,
  NotificationSettings,
  NotificationSettingsPatch,
} from '../../../contract/notifications.ts'
import { request } from '../../shared/api/client.ts'
import { fieldQuery, pagesQuery, requestQuery } from '../../shared/api/queries.ts'

export type { Notification, NotificationSettings }

export interface InboxFilter {
  state: 'open' | 'unread' | 'archived'
  kind?: NotificationKind | undefined
}

/** Query keys about the inbox begin with this key. */
export const inboxKey = (org: string) => [org, 'inbox'] as const

/** Newest first, page by page. */
export const inboxQuery = (org: string, filter: InboxFilter) =>
  pagesQuery([...inboxKey(org), 'list', filter], 'GET /inbox', { org, query: { ...filter, count: false } })

const LATEST = 8

export const latestQuery = (org: string) =>
  fieldQuery(
    [...inboxKey(org), 'latest'],
    'GET /inbox',
    { org, query: { limit: LATEST, count: false } },
    'notifications',
  )

export const unreadQuery = (org: string) =>
  queryOptions({
    ...fieldQuery([...inboxKey(org), 'unread'], 'GET /inbox/unread', { org }, 'unread'),
    staleTime: 30_000,
  })

export const markAllRead = (org: string) => request('POST /inbox/read', { org })

export const patchNotification = (org: string, id: string, body: NotificationPatch) =>
  request('PATCH /inbox/:notificationId', { org, params: { notificationId: id }, body })

export const deleteNotification = (org: string, id: string) =>
  request('DELETE /inbox/:notificationId', { org, params: { notificationId: id } })

export const notificationSettingsQuery = (org: string) =>
  requestQuery([org, 'notification-settings'], 'GET /inbox/settings', { org })

export const patchNotificationSettings = (org: string, body: NotificationSettingsPatch) =>
  request('PATCH /inbox/settings', { org, body })
