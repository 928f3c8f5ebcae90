import { CalendarDays, CalendarPlus, ListTodo } from 'lucide-react'
import type { Navigation } from '../../shared/navigation.ts'
import { MY_TASKS } from './activity-search.ts'
import { activityPaths } from './paths.ts'

export const activityNavigation: Navigation = {
  pages: [
    {
      title: 'Activities',
      icon: CalendarDays,
      alsoKnownAs: 'tasks calls meetings notes',
      to: activityPaths.activities,
    },
  ],
  commands: [
    {
      title: 'My tasks',
      icon: ListTodo,
      alsoKnownAs: 'assigned to me open todo',
      to: activityPaths.activities,
      search: MY_TASKS,
    },
    {
      title: 'Create activity',
      icon: CalendarPlus,
      alsoKnownAs: 'new add task call meeting note',
      to: activityPaths.activities,
      search: { create: 1 },
    },
  ],
}
