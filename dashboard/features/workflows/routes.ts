import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organization } from '../../shared/routing/organization-route.ts'
import { settings } from '../../shared/routing/settings-route.ts'
import { panelSearch } from '../../ui/use-panel.ts'
import { validRunSearch, validWorkflowSearch, validWorkflowsSearch } from './workflow-search.ts'

const loaders = () => import('./loaders.ts')

const workflows = createRoute({
  getParentRoute: () => organization,
  path: '/workflows',
  validateSearch: validWorkflowsSearch,
  loader: async ({ params: { org } }) => (await loaders()).loadWorkflows(org),
  component: lazyRouteComponent(() => import('./workflows-page.tsx'), 'WorkflowsPage'),
})

const workflow = createRoute({
  getParentRoute: () => organization,
  path: '/workflows/$workflow',
  validateSearch: validWorkflowSearch,
  loader: async ({ params: { org, workflow: id } }) => (await loaders()).loadWorkflow(org, id),
  component: lazyRouteComponent(() => import('./workflow-page.tsx'), 'WorkflowPage'),
})

const newWorkflow = createRoute({
  getParentRoute: () => organization,
  path: '/workflows/new',
  loader: async ({ params: { org } }) => (await loaders()).loadNewWorkflow(org),
  component: lazyRouteComponent(() => import('./editor-page.tsx'), 'NewWorkflowPage'),
})

const workflowEditor = createRoute({
  getParentRoute: () => organization,
  path: '/workflows/$workflow/edit',
  validateSearch: validRunSearch,
  loader: async ({ params: { org, workflow: id } }) => (await loaders()).loadEditedWorkflow(org, id),
  component: lazyRouteComponent(() => import('./editor-page.tsx'), 'WorkflowEditorPage'),
})

const workflowRun = createRoute({
  getParentRoute: () => organization,
  path: '/workflows/$workflow/runs/$run',
  validateSearch: validRunSearch,
  loader: async ({ params: { org, workflow: id, run } }) => (await loaders()).loadRun(org, id, run),
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
})

const workflowSecrets = createRoute({
  getParentRoute: () => settings,
  path: '/workflow-secrets',
  validateSearch: panelSearch,
  loader: async ({ params: { org } }) => (await loaders()).loadSecrets(org),
  component: lazyRouteComponent(() => import('./secrets-page.tsx'), 'WorkflowSecretsPage'),
})

export const workflowRoutes = [workflows, newWorkflow, workflow, workflowEditor, workflowRun]
export const workflowSettingsRoutes = [workflowSecrets]
