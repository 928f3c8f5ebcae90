// Requests for workflows, definitions and secrets. Those for runs are in workflow-runs.ts.
import { queryOptions } from '@tanstack/react-query'
import type {
  DefinitionDetail,
  DryRun,
  DryRunResult,
  NewWorkflow,
  ReportWorkflow,
  SaveDefinition,
  WorkflowFigures,
  WorkflowSample,
  WorkflowSecret,
  WorkflowTemplate,
} from '../../../../contract/workflow-dashboard.ts'
import type { WorkflowTrigger } from '../../../../contract/workflow-states.ts'
import type {
  Workflow,
  WorkflowDefinition,
  WorkflowParameter,
  WorkflowPatch,
  WorkflowStep,
  WorkflowWithDefinition,
} from '../../../../contract/workflows.ts'
import { request } from '../../../shared/api/client.ts'
import { fieldQuery, requestQuery } from '../../../shared/api/queries.ts'

export type {
  DefinitionDetail,
  DryRunResult,
  ReportWorkflow,
  Workflow,
  WorkflowDefinition,
  WorkflowFigures,
  WorkflowParameter,
  WorkflowSample,
  WorkflowSecret,
  WorkflowStep,
  WorkflowTemplate,
  WorkflowWithDefinition,
}

const paramsOf = (id: string) => ({ workflowId: id })

/** Query keys about workflows begin with this key. */
export const workflowsKey = (org: string) => [org, 'workflows'] as const
export const workflowKey = (org: string, id: string) => [...workflowsKey(org), 'one', id] as const

/** Sorted by name. */
export const workflowsQuery = (org: string) =>
  fieldQuery([...workflowsKey(org), 'list'], 'GET /workflows', { org }, 'workflows')

/** A workflow with its current definition. */
export const workflowQuery = (org: string, id: string) =>
  requestQuery([...workflowKey(org, id), 'workflow'], 'GET /workflows/:workflowId', {
    org,
    params: paramsOf(id),
  })

/** Figures about the runs of each workflow. */
export const overviewQuery = (org: string) =>
  fieldQuery([...workflowsKey(org), 'overview'], 'GET /workflow-overview', { org }, 'workflows')

/** Workflows with a step that runs the report. */
export const reportWorkflowsQuery = (org: string, report: string) =>
  fieldQuery(
    [...workflowsKey(org), 'of-report', report],
    'GET /reports/:reportId/workflows',
    { org, params: { reportId: report } },
    'workflows',
  )

export const createWorkflow = (org: string, body: NewWorkflow) => request('POST /workflows', { org, body })

/** Enabling an invalid workflow is refused with the problems of its definition, by path. */
export const patchWorkflow = (org: string, { id, patch }: { id: string; patch: WorkflowPatch }) =>
  request('PATCH /workflows/:workflowId', { org, params: paramsOf(id), body: patch })

export const deleteWorkflow = (org: string, id: string) =>
  request('DELETE /workflows/:workflowId', { org, params: paramsOf(id) })

/** @param version by default the current version */
export const definitionQuery = (org: string, id: string, version?: number) =>
  queryOptions({
    ...requestQuery(
      [...workflowKey(org, id), 'definition', version ?? 'current'],
      'GET /workflows/:workflowId/definition',
      { org, params: paramsOf(id), query: { version } },
    ),
    // A version never changes, but the current version does.
    ...(version !== undefined && { staleTime: Number.POSITIVE_INFINITY }),
  })

export const saveDefinition = (org: string, id: string, body: SaveDefinition) =>
  request('PUT /workflows/:workflowId/definition', { org, params: paramsOf(id), body })

/** Newest first. */
export const versionsQuery = (org: string, id: string) =>
  fieldQuery(
    [...workflowKey(org, id), 'versions'],
    'GET /workflows/:workflowId/versions',
    { org, params: paramsOf(id) },
    'versions',
  )

export const restoreVersion = (org: string, id: string, version: number) =>
  request('POST /workflows/:workflowId/restore', { org, params: paramsOf(id), body: { version } })

/** The problems of a definition that is not saved. */
export const checkDefinition = (org: string, definition: unknown, signal?: AbortSignal) =>
  request('POST /workflow-check', { org, body: { definition }, signal })

/** Stores and sends nothing. */
export const dryRun = (org: string, body: DryRun, signal?: AbortSignal) =>
  request('POST /workflow-dry-run', { org, body, signal })

/** An example value of {{trigger}}. @param objectId id or slug */
export const sampleQuery = (org: string, trigger: WorkflowTrigger, objectId?: string) =>
  requestQuery([...workflowsKey(org), 'sample', trigger, objectId ?? null], 'GET /workflow-sample', {
    org,
    query: { trigger, objectId },
  })

/** The next five times. Errors name `cron` or `timezone`. */
export const schedulePreviewQuery = (org: string, cron: string, timezone?: string) =>
  requestQuery([...workflowsKey(org), 'schedule', cron, timezone ?? null], 'GET /schedule-preview', {
    org,
    query: { cron, timezone },
  })

export const templatesQuery = (org: string) =>
  queryOptions({
    ...fieldQuery([...workflowsKey(org), 'templates'], 'GET /workflow-templates', { org }, 'templates'),
    // Templates change only with a new version of the service.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Secrets by name. Values are never returned. */
export const secretsQuery = (org: string) =>
  fieldQuery([...workflowsKey(org), 'secrets'], 'GET /workflow-secrets', { org }, 'secrets')

/** Sets or replaces a secret. */
export const putSecret = (org: string, { name, value }: { name: string; value: string }) =>
  request('PUT /workflow-secrets/:secretName', { org, params: { secretName: name }, body: { value } })

export const deleteSecret = (org: string, name: string) =>
  request('DELETE /workflow-secrets/:secretName', { org, params: { secretName: name } })
