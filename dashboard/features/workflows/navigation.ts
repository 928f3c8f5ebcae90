import { LockKeyhole, Workflow } from 'lucide-react'
import type { Navigation } from '../../shared/navigation.ts'
import { workflowPaths } from './paths.ts'

export const workflowNavigation: Navigation = {
  pages: [
    {
      title: 'Workflows',
      icon: Workflow,
      alsoKnownAs: 'automations automate runs',
      to: workflowPaths.workflows,
      section: 'Automate',
    },
  ],
  settings: [
    {
      title: 'Workflow secrets',
      icon: LockKeyhole,
      alsoKnownAs: 'developers tokens passwords automations',
      to: workflowPaths.workflowSecrets,
      group: 'Developers',
    },
  ],
}
