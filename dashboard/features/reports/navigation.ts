import { ChartColumn, ChartLine } from 'lucide-react'
import type { Navigation } from '../../shared/navigation.ts'
import { reportPaths } from './paths.ts'

export const reportNavigation: Navigation = {
  pages: [
    {
      title: 'Reports',
      icon: ChartColumn,
      alsoKnownAs: 'charts analytics figures statistics',
      to: reportPaths.reports,
      section: 'Automate',
    },
  ],
  commands: [
    {
      title: 'Create report',
      icon: ChartLine,
      alsoKnownAs: 'new add chart analytics',
      to: reportPaths.newReport,
    },
  ],
}
