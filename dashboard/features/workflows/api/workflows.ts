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
  queryOptions({
    queryKey: [...workflowsKey(org), 'list'],
    queryFn: async ({ signal }) => (await request('GET /workflows', { org, signal })).workflows,
  })

/** A workflow with its current definition. */
export const workflowQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...workflowKey(org, id), 'workflow'],
    queryFn: ({ signal }) => request('GET /workflows/:workflowId', { org, params: paramsOf(id), signal }),
  })

/** Figures about the runs of each workflow. */
export const overviewQuery = (org: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'overview'],
    queryFn: async ({ signal }) => (await request('GET /workflow-overview', { org, signal })).workflows,
  })

/** Workflows with a step that runs the report. */
export const reportWorkflowsQuery = (org: string, report: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'of-report', report],
    queryFn: async ({ signal }) =>
      (await request('GET /reports/:reportId/workflows', { org, params: { reportId: report }, signal }))
        .workflows,
  })

export const createWorkflow = (org: string, body: NewWorkflow) => request('POST /workflows', { org, body })

/** Enabling an invalid workflow is refused with the problems of its definition, by path. */
export const patchWorkflow = (org: string, { id, patch }: { id: string; patch: WorkflowPatch }) =>
  request('PATCH /workflows/:workflowId', { org, params: paramsOf(id), body: patch })

export const deleteWorkflow = (org: string, id: string) =>
  request('DELETE /workflows/:workflowId', { org, params: paramsOf(id) })

/** @param version by default the current version */
export const definitionQuery = (org: string, id: string, version?: number) =>
  queryOptions({
    queryKey: [...workflowKey(org, id), 'definition', version ?? 'current'],
    queryFn: ({ signal }) =>
      request('GET /workflows/:workflowId/definition', {
        org,
        params: paramsOf(id),
        query: { version },
        signal,
      }),
    // A version never changes, but the current version does.
    ...(version !== undefined && { staleTime: Number.POSITIVE_INFINITY }),
  })

export const saveDefinition = (org: string, id: string, body: SaveDefinition) =>
  request('PUT /workflows/:workflowId/definition', { org, params: paramsOf(id), body })

/** Newest first. */
export const versionsQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...workflowKey(org, id), 'versions'],
    queryFn: async ({ signal }) =>
      (await request('GET /workflows/:workflowId/versions', { org, params: paramsOf(id), signal })).versions,
  })

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
  queryOptions({
    queryKey: [...workflowsKey(org), 'sample', trigger, objectId ?? null],
    queryFn: ({ signal }) => request('GET /workflow-sample', { org, query: { trigger, objectId }, signal }),
  })

/** The next five times. Errors name `cron` or `timezone`. */
export const schedulePreviewQuery = (org: string, cron: string, timezone?: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'schedule', cron, timezone ?? null],
    queryFn: ({ signal }) => request('GET /schedule-preview', { org, query: { cron, timezone }, signal }),
  })

export const templatesQuery = (org: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'templates'],
    queryFn: async ({ signal }) => (await request('GET /workflow-templates', { org, signal })).templates,
    // Templates change only with a new version of the service.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Secrets by name. Values are never returned. */
export const secretsQuery = (org: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'secrets'],
    queryFn: async ({ signal }) => (await request('GET /workflow-secrets', { org, signal })).secrets,
  })

/** Sets or replaces a secret. */
export const putSecret = (org: string, { name, value }: { name: string; value: string }) =>
  request('PUT /workflow-secrets/:secretName', { org, params: { secretName: name }, body: { value } })

export const deleteSecret = (org: string, name: string) =>
  request('DELETE /workflow-secrets/:secretName', { org, params: { secretName: name } })
