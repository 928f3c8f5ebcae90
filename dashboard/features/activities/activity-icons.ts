// Labels and icons of the types of activities.
import { CircleCheck, type LucideIcon, Mail, NotebookPen, Phone, Users } from 'lucide-react'
import { ACTIVITY_TYPES, type ActivityType } from '../../../contract/activity-types.ts'

interface Kind {
  icon: LucideIcon
  /** "Note" */
  name: string
  /** Placeholder of the title field. */
  prompt: string
  /** Placeholder of the summary field. */
  details: string
}

export const ACTIVITY_KINDS: Readonly<Record<ActivityType, Kind>> = {
  note: { icon: NotebookPen, name: 'Note', prompt: 'What do you want to remember?', details: 'Add details' },
  call: { icon: Phone, name: 'Call', prompt: 'What was the call about?', details: 'What was said?' },
  meeting: {
    icon: Users,
    name: 'Meeting',
    prompt: 'What is the meeting about?',
    details: 'Agenda or outcome',
  },
  task: { icon: CircleCheck, name: 'Task', prompt: 'What needs to be done?', details: 'Add details' },
  email: { icon: Mail, name: 'Email', prompt: 'What was the subject?', details: 'What was written?' },
}

export const ACTIVITY_CHOICES = ACTIVITY_TYPES.map((type) => ({
  value: type,
  label: ACTIVITY_KINDS[type].name,
}))
