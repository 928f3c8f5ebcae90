import { CalendarDays, CalendarPlus } from 'lucide-react'
import type { Navigation } from '../../shared/navigation.ts'
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
      title: 'Create activity',
      icon: CalendarPlus,
      alsoKnownAs: 'new add task call meeting note',
      to: activityPaths.activities,
      search: { create: 1 },
    },
  ],
}
