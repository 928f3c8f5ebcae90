// Loads the data that pages of workflows show first. Separate from the routes, which are in the first script.
import { queryClient } from '../../shared/api/query-client.ts'
import { mayAdminister } from '../../shared/routing/may-administer.ts'
import { runQuery } from './api/workflow-runs.ts'
import { definitionQuery, secretsQuery, workflowQuery, workflowsQuery } from './api/workflows.ts'

export const loadWorkflows = (org: string) =>
  queryClient.ensureQueryData({ ...workflowsQuery(org), revalidateIfStale: true })

export const loadWorkflow = (org: string, id: string) =>
  queryClient.ensureQueryData({ ...workflowQuery(org, id), revalidateIfStale: true })

export const loadNewWorkflow = (org: string) => queryClient.ensureQueryData(workflowsQuery(org))

/** Loads the saved version again, because editing must not start from an old cached version. */
export const loadEditedWorkflow = (org: string, id: string) =>
  queryClient.fetchQuery({ ...workflowQuery(org, id), staleTime: 0 })

export async function loadRun(org: string, id: string, run: string): Promise<void> {
  const [{ workflowVersion }] = await Promise.all([
    queryClient.ensureQueryData({ ...runQuery(org, id, run), revalidateIfStale: true }),
    queryClient.ensureQueryData(workflowQuery(org, id)),
  ])
  await queryClient.ensureQueryData(definitionQuery(org, id, workflowVersion))
}

export async function loadSecrets(org: string): Promise<void> {
  if (await mayAdminister(org)) await queryClient.ensureQueryData(secretsQuery(org))
}
