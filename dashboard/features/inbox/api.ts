// Requests for the inbox and the notification settings of the signed-in member.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { NotificationKind } from '../../../contract/notification-kinds.ts'
import type {
  Notification,
  NotificationPatch,
  NotificationSettings,
  NotificationSettingsPatch,
} from '../../../contract/notifications.ts'
import { request } from '../../shared/api/client.ts'

export type { Notification, NotificationSettings }

export interface InboxFilter {
  state: 'open' | 'unread' | 'archived'
  kind?: NotificationKind | undefined
}

/** Query keys about the inbox begin with this key. */
export const inboxKey = (org: string) => [org, 'inbox'] as const

/** Newest first, page by page. */
export const inboxQuery = (org: string, filter: InboxFilter) =>
  infiniteQueryOptions({
    queryKey: [...inboxKey(org), 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      request('GET /inbox', { org, query: { ...filter, cursor: pageParam, count: false }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })

const LATEST = 8

export const latestQuery = (org: string) =>
  queryOptions({
    queryKey: [...inboxKey(org), 'latest'],
    queryFn: async ({ signal }) =>
      (await request('GET /inbox', { org, query: { limit: LATEST, count: false }, signal })).notifications,
  })

export const unreadQuery = (org: string) =>
  queryOptions({
    queryKey: [...inboxKey(org), 'unread'],
    queryFn: async ({ signal }) => (await request('GET /inbox/unread', { org, signal })).unread,
    staleTime: 30_000,
  })

export const markAllRead = (org: string) => request('POST /inbox/read', { org })

export const patchNotification = (org: string, id: string, body: NotificationPatch) =>
  request('PATCH /inbox/:notificationId', { org, params: { notificationId: id }, body })

export const deleteNotification = (org: string, id: string) =>
  request('DELETE /inbox/:notificationId', { org, params: { notificationId: id } })

export const notificationSettingsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'notification-settings'],
    queryFn: ({ signal }) => request('GET /inbox/settings', { org, signal }),
  })

export const patchNotificationSettings = (org: string, body: NotificationSettingsPatch) =>
  request('PATCH /inbox/settings', { org, body })
