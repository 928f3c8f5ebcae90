// The inbox of a member, and the notification settings.
import { type Static, Type } from 'typebox'
import { Deleted, listOf, literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { UserRef } from './members.ts'
import { KIND_NAMES, MAIL_CHOICES, type NotificationKind, UNREAD_COUNT_MAX } from './notification-kinds.ts'
import { pageParams } from './paging.ts'
import type { DashboardRoutes } from './route.ts'

export const SUBJECT_TYPES = ['record', 'task', 'import', 'workflow', 'endpoint'] as const
export type SubjectType = (typeof SUBJECT_TYPES)[number]

const Subject = StrictObject({
  type: literals(SUBJECT_TYPES),
  id: Uuid,
  objectId: Nullable(Uuid, { description: 'Only for a record and an import' }),
  name: Type.String(),
})

export const Notification = StrictObject({
  id: Uuid,
  kind: literals(KIND_NAMES),
  count: Type.Integer({
    minimum: 1,
    description: 'Number of assignments or failures that the notification combines; 1 for other kinds',
  }),
  actor: Nullable(UserRef, { description: 'null: a workflow, or the service itself' }),
  workflow: Nullable(StrictObject({ id: Uuid, name: Type.String() }), {
    description: 'The workflow that made the change',
  }),
  subject: Subject,
  attribute: Nullable(Type.String(), { description: 'Slug of the attribute that names the member' }),
  commentId: Nullable(Uuid),
  text: Nullable(Type.String(), { description: 'A comment, a note, or why a workflow failed' }),
  at: Timestamp,
  readAt: Nullable(Timestamp),
  archivedAt: Nullable(Timestamp),
})
export type Notification = Static<typeof Notification>

export const NotificationQuery = StrictObject({
  ...pageParams(),
  state: Type.Optional(
    literals(['open', 'unread', 'archived'], {
      default: 'open',
      description: 'open: all notifications that are not archived',
    }),
  ),
  kind: Type.Optional(literals(KIND_NAMES)),
})
export type NotificationQuery = Static<typeof NotificationQuery>

/** Newest first, without notifications about deleted subjects. */
export const Inbox = listOf('notifications', Notification)
export type Inbox = Static<typeof Inbox>

export const Unread = StrictObject({
  unread: Type.Integer({
    minimum: 0,
    maximum: UNREAD_COUNT_MAX,
    description: `${UNREAD_COUNT_MAX} means that many or more`,
  }),
})
export type Unread = Static<typeof Unread>

export const NotificationPatch = StrictObject({
  isRead: Type.Optional(Type.Boolean()),
  isArchived: Type.Optional(Type.Boolean()),
})
export type NotificationPatch = Static<typeof NotificationPatch>

const Choice = StrictObject({ inApp: Type.Boolean(), mail: literals(MAIL_CHOICES) })

const Hour = Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the daily email' })
const TimeZone = Nullable(Type.String({ minLength: 1, maxLength: 100, examples: ['Europe/Berlin'] }), {
  description: 'null: the time zone of the organization',
})

const kinds = <Schema extends typeof Choice | ReturnType<typeof Type.Optional<typeof Choice>>>(
  schema: Schema,
) =>
  StrictObject(
    Object.fromEntries(KIND_NAMES.map((kind) => [kind, schema])) as Record<NotificationKind, Schema>,
  )

export const NotificationSettings = StrictObject({
  kinds: kinds(Choice),
  digestHour: Hour,
  timeZone: TimeZone,
})
export type NotificationSettings = Static<typeof NotificationSettings>

export const NotificationSettingsPatch = StrictObject({
  kinds: Type.Optional(kinds(Type.Optional(Choice))),
  digestHour: Type.Optional(Hour),
  timeZone: Type.Optional(TimeZone),
})
export type NotificationSettingsPatch = Static<typeof NotificationSettingsPatch>

export const notificationRoutes = {
  listNotifications: {
    at: 'GET /inbox',
    role: 'member',
    query: NotificationQuery,
    response: { 200: Inbox },
  },
  countUnread: { at: 'GET /inbox/unread', role: 'member', response: { 200: Unread } },
  markAllRead: { at: 'POST /inbox/read', role: 'member', response: { 200: Unread } },
  getNotificationSettings: {
    at: 'GET /inbox/settings',
    role: 'member',
    response: { 200: NotificationSettings },
  },
  updateNotificationSettings: {
    at: 'PATCH /inbox/settings',
    role: 'member',
    body: NotificationSettingsPatch,
    response: { 200: NotificationSettings },
  },
  updateNotification: {
    at: 'PATCH /inbox/:notificationId',
    role: 'member',
    body: NotificationPatch,
    response: { 200: Notification },
  },
  deleteNotification: {
    at: 'DELETE /inbox/:notificationId',
    role: 'member',
    response: { 200: Deleted },
  },
} satisfies DashboardRoutes
