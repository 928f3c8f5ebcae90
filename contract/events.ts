// The specification's section "Events": what the service sends, in the order of its table.
export const EVENT_TYPES = {
  'record.created': 'A record is created in any object, or restored',
  'record.updated': 'A record is updated',
  'record.deleted': 'A record is deleted',
  'activity.created': 'An activity is created',
  'activity.updated': 'An activity is updated',
  'activity.deleted': 'An activity is deleted',
  'workflow.completed': 'A workflow run completes successfully',
  'workflow.failed': 'A workflow run fails',
} as const
export type EventType = keyof typeof EVENT_TYPES

/** Changes that only open dashboards are told about: they are stored with the events, and never sent. */
export const COMMENT_CHANGES = ['comment.created', 'comment.updated', 'comment.deleted'] as const
export type CommentChange = (typeof COMMENT_CHANGES)[number]

/** As those of comments: a membership or an invitation changed, or what colleagues see of a member. */
export const MEMBER_CHANGE = 'member.changed'

/** What is stored as an event. */
export type StoredEventType = EventType | CommentChange | typeof MEMBER_CHANGE
