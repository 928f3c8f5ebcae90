// Workflows, their definitions and their secrets; runs are in workflow-runs.ts.
import { queryOptions } from '@tanstack/react-query'
import type {
  CheckResult,
  DefinitionDetail,
  DefinitionSaved,
  DryRun,
  DryRunResult,
  NewWorkflow,
  ReportWorkflow,
  SaveDefinition,
  SchedulePreview,
  VersionList,
  WorkflowFigures,
  WorkflowOverview,
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
import { organizationPath, request } from '../../../shared/api/client.ts'

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

const enc = encodeURIComponent
const pathTo = (org: string, path: string) => `${organizationPath(org)}${path}`
export const workflowPath = (org: string, id: string) => pathTo(org, `/workflows/${enc(id)}`)

/** Everything about workflows is under this key. */
export const workflowsKey = (org: string) => [org, 'workflows'] as const
export const workflowKey = (org: string, id: string) => [...workflowsKey(org), 'one', id] as const

/** By name. */
export const workflowsQuery = (org: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'list'],
    queryFn: async ({ signal }) =>
      (await request<{ workflows: Workflow[] }>('GET', pathTo(org, '/workflows'), { signal })).workflows,
  })

/** With its current definition. */
export const workflowQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...workflowKey(org, id), 'workflow'],
    queryFn: ({ signal }) => request<WorkflowWithDefinition>('GET', workflowPath(org, id), { signal }),
  })

/** How each workflow fares. */
export const overviewQuery = (org: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'overview'],
    queryFn: async ({ signal }) =>
      (await request<WorkflowOverview>('GET', pathTo(org, '/workflow-overview'), { signal })).workflows,
  })

/** Those with a step that runs the report. */
export const reportWorkflowsQuery = (org: string, report: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'of-report', report],
    queryFn: async ({ signal }) =>
      (
        await request<{ workflows: ReportWorkflow[] }>(
          'GET',
          pathTo(org, `/reports/${enc(report)}/workflows`),
          { signal },
        )
      ).workflows,
  })

export const createWorkflow = (org: string, body: NewWorkflow) =>
  request<Workflow>('POST', pathTo(org, '/workflows'), { body })

/** Enabling is refused with the problems of the definition, by path. */
export const patchWorkflow = (org: string, { id, patch }: { id: string; patch: WorkflowPatch }) =>
  request<Workflow>('PATCH', workflowPath(org, id), { body: patch })

export const deleteWorkflow = (org: string, id: string) => request('DELETE', workflowPath(org, id))

/** @param version the current one when it is left out */
export const definitionQuery = (org: string, id: string, version?: number) =>
  queryOptions({
    queryKey: [...workflowKey(org, id), 'definition', version ?? 'current'],
    queryFn: ({ signal }) =>
      request<DefinitionDetail>(
        'GET',
        `${workflowPath(org, id)}/definition${version === undefined ? '' : `?version=${version}`}`,
        { signal },
      ),
    // A version never changes; which one is current does.
    ...(version !== undefined && { staleTime: Number.POSITIVE_INFINITY }),
  })

export const saveDefinition = (org: string, id: string, body: SaveDefinition) =>
  request<DefinitionSaved>('PUT', `${workflowPath(org, id)}/definition`, { body })

/** Newest first. */
export const versionsQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...workflowKey(org, id), 'versions'],
    queryFn: async ({ signal }) =>
      (await request<VersionList>('GET', `${workflowPath(org, id)}/versions`, { signal })).versions,
  })

export const restoreVersion = (org: string, id: string, version: number) =>
  request<DefinitionSaved>('POST', `${workflowPath(org, id)}/restore`, { body: { version } })

/** Everything wrong with a definition that is not saved. */
export const checkDefinition = (org: string, definition: unknown, signal?: AbortSignal) =>
  request<CheckResult>('POST', pathTo(org, '/workflow-check'), { body: { definition }, signal })

/** Nothing is kept or sent. */
export const dryRun = (org: string, body: DryRun, signal?: AbortSignal) =>
  request<DryRunResult>('POST', pathTo(org, '/workflow-dry-run'), { body, signal })

/** An example of {{trigger}}. @param objectId id or slug */
export const sampleQuery = (org: string, trigger: WorkflowTrigger, objectId?: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'sample', trigger, objectId ?? null],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ trigger, ...(objectId !== undefined && { objectId }) })
      return request<WorkflowSample>('GET', pathTo(org, `/workflow-sample?${query}`), { signal })
    },
  })

/** The next five times; refused naming cron or timezone. */
export const schedulePreviewQuery = (org: string, cron: string, timezone?: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'schedule', cron, timezone ?? null],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ cron, ...(timezone !== undefined && { timezone }) })
      return request<SchedulePreview>('GET', pathTo(org, `/schedule-preview?${query}`), { signal })
    },
  })

export const templatesQuery = (org: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'templates'],
    queryFn: async ({ signal }) =>
      (
        await request<{ templates: WorkflowTemplate[] }>('GET', pathTo(org, '/workflow-templates'), {
          signal,
        })
      ).templates,
    // They change with the service alone.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** By name; values are never answered. */
export const secretsQuery = (org: string) =>
  queryOptions({
    queryKey: [...workflowsKey(org), 'secrets'],
    queryFn: async ({ signal }) =>
      (await request<{ secrets: WorkflowSecret[] }>('GET', pathTo(org, '/workflow-secrets'), { signal }))
        .secrets,
  })

/** Sets or replaces it. */
export const putSecret = (org: string, { name, value }: { name: string; value: string }) =>
  request<WorkflowSecret>('PUT', pathTo(org, `/workflow-secrets/${enc(name)}`), { body: { value } })

export const deleteSecret = (org: string, name: string) =>
  request('DELETE', pathTo(org, `/workflow-secrets/${enc(name)}`))
