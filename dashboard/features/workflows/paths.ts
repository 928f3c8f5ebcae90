import { address } from '../../shared/paths.ts'

export const workflowPaths = {
  workflows: (org: string) => address('o', org, 'workflows'),
  newWorkflow: (org: string) => address('o', org, 'workflows', 'new'),
  workflow: (org: string, workflow: string) => address('o', org, 'workflows', workflow),
  workflowEditor: (org: string, workflow: string) => address('o', org, 'workflows', workflow, 'edit'),
  workflowRun: (org: string, workflow: string, run: string) =>
    address('o', org, 'workflows', workflow, 'runs', run),
  workflowSecrets: (org: string) => address('o', org, 'settings', 'workflow-secrets'),
} as const
