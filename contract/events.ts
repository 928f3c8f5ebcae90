// The specification's section "Events": what the service sends, in the order of its table.
export const EVENT_TYPES = {
  'record.created': 'A record is created in any object',
  'record.updated': 'A record is updated',
  'record.deleted': 'A record is deleted',
  'record.restored': 'A record is restored from the trash; only sent where it is chosen',
  'record.merged': 'Records are merged into this one; only sent where it is chosen',
  'activity.created': 'An activity is created',
  'activity.updated': 'An activity is updated',
  'activity.deleted': 'An activity is deleted',
  'comment.created': 'A comment on a record is created; only sent where it is chosen',
  'comment.updated': 'The text of a comment is changed; only sent where it is chosen',
  'comment.deleted': 'A comment is deleted by a person; only sent where it is chosen',
  'workflow.completed': 'A workflow run completes successfully',
  'workflow.failed': 'A workflow run fails',
} as const
export type EventType = keyof typeof EVENT_TYPES

/** Who asks for every type does not get these: they came after the specification. */
export const CHOSEN_ONLY: readonly EventType[] = [
  'record.restored',
  'record.merged',
  'comment.created',
  'comment.updated',
  'comment.deleted',
]
