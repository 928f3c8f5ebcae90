// The icons and texts of kinds of notifications, and the page that each links to.
import {
  AlarmClock,
  AtSign,
  CalendarClock,
  CircleAlert,
  FileInput,
  type LucideIcon,
  UserRoundCheck,
  Webhook,
  Workflow,
} from 'lucide-react'
import type { NotificationKind } from '../../../../contract/notification-kinds.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { activityPaths } from '../../activities/paths.ts'
import { importPaths } from '../../import/paths.ts'
import { webhookPaths } from '../../webhooks/paths.ts'
import { workflowPaths } from '../../workflows/paths.ts'
import type { Notification } from '../api.ts'

interface KindWords {
  icon: LucideIcon
  /** Label in the filter and the settings. */
  name: string
  /** Description in the settings. */
  when: string
}

export const KINDS: Readonly<Record<NotificationKind, KindWords>> = {
  assigned: {
    icon: UserRoundCheck,
    name: 'Assigned',
    when: 'Someone makes you the owner of a record or assigns you a task',
  },
  mentioned: { icon: AtSign, name: 'Mentions', when: 'Someone mentions you in a comment' },
  due: { icon: CalendarClock, name: 'Due today', when: 'A task of yours is due today' },
  overdue: { icon: CircleAlert, name: 'Overdue', when: 'A task of yours is overdue' },
  reminder: { icon: AlarmClock, name: 'Reminders', when: 'A reminder that you set is due' },
  import: { icon: FileInput, name: 'Imports', when: 'An import that you started ends' },
  workflow: {
    icon: Workflow,
    name: 'Failed workflows',
    when: 'A workflow that you made fails; for owners and admins, any enabled one',
  },
  endpoint: {
    icon: Webhook,
    name: 'Disabled endpoints',
    when: 'A webhook endpoint is disabled; for owners and admins',
  },
}

export interface Target {
  to: string
  search?: object
}

/** @param slugOf returns the slug of an object, for page addresses */
export function targetOf(org: string, one: Notification, slugOf: (objectId: string) => string): Target {
  const { subject, count, attribute } = one
  const slug = slugOf(subject.objectId ?? '')
  switch (subject.type) {
    case 'record':
      return count > 1
        ? {
            to: recordPaths.object(org, slug),
            ...(attribute !== null && { search: { filter: [attribute, 'equals', 'me'] } }),
          }
        : { to: recordPaths.record(org, slug, subject.id) }
    case 'task':
      return {
        to: activityPaths.activities(org),
        search: count > 1 ? { assignee: 'me', tasks: 'open' } : { activity: subject.id },
      }
    case 'import':
      return { to: importPaths.import(org, slug), search: { import: subject.id } }
    case 'workflow':
      return { to: workflowPaths.workflow(org, subject.id) }
    case 'endpoint':
      return { to: webhookPaths.webhookEndpoint(org, subject.id) }
  }
}
