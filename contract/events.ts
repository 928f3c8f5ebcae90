// The specification's section "Events": the event types in the order of its table.
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

/** Changes that only open dashboards receive. They are stored with the events, and never sent to webhooks. */
export const COMMENT_CHANGES = ['comment.created', 'comment.updated', 'comment.deleted'] as const
export type CommentChange = (typeof COMMENT_CHANGES)[number]

/** Also only for open dashboards: a membership, an invitation or a visible detail of a member has changed. */
export const MEMBER_CHANGE = 'member.changed'

export type StoredEventType = EventType | CommentChange | typeof MEMBER_CHANGE
