// Which runs take turns with each other.
import { WORKFLOW_RUNNING_MAX } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'

export interface LaneOfRun {
  /** null: it runs beside all others of its workflow, as far as the limit goes. */
  lane: string | null
  limit: number
  onConflict: 'queue' | 'skip' | 'restart'
}

/** @param subject the record or activity that the run is about */
export function laneOf(
  { concurrency }: Pick<WorkflowDefinition, 'concurrency'>,
  subject: string | null,
): LaneOfRun {
  const { key = 'record', limit, onConflict = 'queue' } = concurrency ?? {}
  const lane = key === 'record' ? subject : key === 'workflow' ? 'workflow' : null
  return { lane, limit: limit ?? (lane === null ? WORKFLOW_RUNNING_MAX : 1), onConflict }
}
