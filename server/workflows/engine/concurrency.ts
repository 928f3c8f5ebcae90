// Which runs of a workflow wait for each other: those with the same concurrency key (column workflow_runs.lane).
import { WORKFLOW_RUNNING_MAX } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'

export interface RunConcurrency {
  /** null: it runs concurrently with all others of its workflow, up to the limit. */
  key: string | null
  limit: number
  onConflict: 'queue' | 'skip' | 'restart'
}

/** @param subject the record or activity that the run is about */
export function concurrencyOf(
  { concurrency }: Pick<WorkflowDefinition, 'concurrency'>,
  subject: string | null,
): RunConcurrency {
  const { key: by = 'record', limit, onConflict = 'queue' } = concurrency ?? {}
  const key = by === 'record' ? subject : by === 'workflow' ? 'workflow' : null
  return { key, limit: limit ?? (key === null ? WORKFLOW_RUNNING_MAX : 1), onConflict }
}
