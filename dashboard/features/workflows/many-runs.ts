// The progress of runs on many records.
import { counted, formatCount } from '../../../contract/counted.ts'
import { isFinal } from '../../../contract/workflow-states.ts'
import type { WorkflowRun } from './api/workflow-runs.ts'

export interface Progress {
  total: number
  over: number
  completed: number
  /** Failed or cancelled. */
  failed: number
}

/** @param started ids of the runs @param listed the newest runs of the workflow, which include them */
export function progressOf(
  started: readonly string[],
  listed: readonly Pick<WorkflowRun, 'id' | 'status'>[],
): Progress {
  const ids = new Set(started)
  const own = listed.filter(({ id }) => ids.has(id))
  const over = own.filter(({ status }) => isFinal(status))
  const completed = over.filter(({ status }) => status === 'completed').length
  return { total: started.length, over: over.length, completed, failed: over.length - completed }
}

/** `8 of 12 runs finished: 7 completed, 1 failed` */
export function progressWords({ total, over, completed, failed }: Progress): string {
  const counts = [
    completed > 0 && `${formatCount(completed)} completed`,
    failed > 0 && `${formatCount(failed)} failed`,
  ].filter(Boolean)
  const parts = counts.length > 0 ? `: ${counts.join(', ')}` : ''
  if (over < total) return `${formatCount(over)} of ${counted(total, 'run')} finished${parts}`
  return `${total === 1 ? 'The run is' : `All ${counted(total, 'run')} are`} finished${parts}`
}
