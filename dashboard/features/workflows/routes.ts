import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { mayAdminister } from '../../shared/routing/may-administer.ts'
import { organization } from '../../shared/routing/organization-route.ts'
import { settings } from '../../shared/routing/settings-route.ts'
import { panelSearch } from '../../ui/use-panel.ts'
import { runQuery } from './api/workflow-runs.ts'
import { definitionQuery, secretsQuery, workflowQuery, workflowsQuery } from './api/workflows.ts'
import { validRunSearch, validWorkflowSearch, validWorkflowsSearch } from './workflow-search.ts'

const workflows = createRoute({
  getParentRoute: () => organization,
  path: '/workflows',
  validateSearch: validWorkflowsSearch,
  loader: ({ params: { org } }) =>
    queryClient.ensureQueryData({ ...workflowsQuery(org), revalidateIfStale: true }),
  component: lazyRouteComponent(() => import('./workflows-page.tsx'), 'WorkflowsPage'),
})

const workflow = createRoute({
  getParentRoute: () => organization,
  path: '/workflows/$workflow',
  validateSearch: validWorkflowSearch,
  loader: ({ params: { org, workflow: id } }) =>
    queryClient.ensureQueryData({ ...workflowQuery(org, id), revalidateIfStale: true }),
  component: lazyRouteComponent(() => import('./workflow-page.tsx'), 'WorkflowPage'),
})

const newWorkflow = createRoute({
  getParentRoute: () => organization,
  path: '/workflows/new',
  loader: ({ params: { org } }) => queryClient.ensureQueryData(workflowsQuery(org)),
  component: lazyRouteComponent(() => import('./editor-page.tsx'), 'NewWorkflowPage'),
})

const workflowEditor = createRoute({
  getParentRoute: () => organization,
  path: '/workflows/$workflow/edit',
  validateSearch: validRunSearch,
  // What is edited begins with what is saved now, not with what was read some time ago.
  loader: ({ params: { org, workflow: id } }) =>
    queryClient.fetchQuery({ ...workflowQuery(org, id), staleTime: 0 }),
  component: lazyRouteComponent(() => import('./editor-page.tsx'), 'WorkflowEditorPage'),
})

const workflowRun = createRoute({
  getParentRoute: () => organization,
  path: '/workflows/$workflow/runs/$run',
  validateSearch: validRunSearch,
  loader: async ({ params: { org, workflow: id, run } }) => {
    const [{ workflowVersion }] = await Promise.all([
      queryClient.ensureQueryData({ ...runQuery(org, id, run), revalidateIfStale: true }),
      queryClient.ensureQueryData(workflowQuery(org, id)),
    ])
    await queryClient.ensureQueryData(definitionQuery(org, id, workflowVersion))
  },
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
})

const workflowSecrets = createRoute({
  getParentRoute: () => settings,
  path: '/workflow-secrets',
  validateSearch: panelSearch,
  loader: async ({ params }) => {
    if (await mayAdminister(params.org)) await queryClient.ensureQueryData(secretsQuery(params.org))
  },
  component: lazyRouteComponent(() => import('./secrets-page.tsx'), 'WorkflowSecretsPage'),
})

export const workflowRoutes = [workflows, newWorkflow, workflow, workflowEditor, workflowRun]
export const workflowSettingsRoutes = [workflowSecrets]
