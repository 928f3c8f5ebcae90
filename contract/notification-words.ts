// The text of a notification, in the inbox and in mails.
import { counted, formatCount } from './counted.ts'
import type { NotificationKind } from './notification-kinds.ts'
import type { Notification } from './notifications.ts'

type Said = Pick<Notification, 'kind' | 'count' | 'actor' | 'workflow' | 'subject' | 'text'>

export type PluralOf = (objectId: string) => string | undefined

const doerOf = ({ actor, workflow }: Said) =>
  workflow ? `Workflow “${workflow.name}”` : (actor?.name ?? 'Someone')

function assignedWords(one: Said, pluralOf: PluralOf): string {
  const { count, subject } = one
  if (count === 1) return `${doerOf(one)} assigned you ${subject.name}`
  const things = subject.type === 'task' ? 'tasks' : (pluralOf(subject.objectId ?? '') ?? 'records')
  return `${doerOf(one)} assigned you ${formatCount(count)} ${things.toLowerCase()}`
}

const WORDS: Readonly<Record<NotificationKind, (one: Said, pluralOf: PluralOf) => string>> = {
  assigned: assignedWords,
  mentioned: (one) => `${doerOf(one)} mentioned you on ${one.subject.name}`,
  due: ({ subject }) => `${subject.name} is due today`,
  overdue: ({ subject }) => `${subject.name} is overdue`,
  reminder: ({ subject }) => `Reminder: ${subject.name}`,
  import: ({ subject, text }) =>
    text === null ? `The import of ${subject.name} is complete` : `The import of ${subject.name} failed`,
  workflow: ({ subject, count }) =>
    count === 1
      ? `Workflow “${subject.name}” failed`
      : `Workflow “${subject.name}” failed ${counted(count, 'time')}`,
  endpoint: ({ subject }) => `The webhook endpoint ${subject.name} was disabled`,
}

/** One sentence without the full stop. */
export const wordsOf = (one: Said, pluralOf: PluralOf): string => WORDS[one.kind](one, pluralOf)
