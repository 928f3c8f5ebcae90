// The last runs of a workflow as bars, and in words.
import { RUN_STATUSES, type RunStatus } from '../../../../contract/workflow-states.ts'
import type { WorkflowFigures } from '../../../api/workflows.ts'
import { formatExact } from '../../../components/webhooks/deliveries/words.ts'
import { durationWords, RUN_WORDS } from '../../../components/workflows/run/run-words.ts'

type Run = WorkflowFigures['runs'][number]

export interface RunBar {
  id: string
  status: RunStatus
  /** Of the height there is, 0 to 1: how long it took beside the longest. */
  size: number
  /** On hover. */
  title: string
}

/** The least: every run is seen. */
const LEAST = 0.25

/** Oldest first. One that took 100 times as long is ten times as high: a single slow one does not flatten all. */
export function runBars(runs: readonly Run[]): RunBar[] {
  const longest = Math.max(1, ...runs.map(({ durationMs }) => durationMs ?? 0))
  return runs.map(({ id, status, durationMs, createdAt }) => ({
    id,
    status,
    size: Math.max(LEAST, Math.sqrt((durationMs ?? 0) / longest)),
    title: [
      formatExact(createdAt),
      RUN_WORDS[status].word.toLowerCase(),
      ...(durationMs === null ? [] : [durationWords(durationMs)]),
    ].join(', '),
  }))
}

/** `Last 20 runs: 18 completed, 2 failed` */
export function barsPhrase(runs: readonly Run[]): string {
  if (runs.length === 0) return 'No runs yet'
  const counts = RUN_STATUSES.map((status) => ({
    status,
    count: runs.filter((run) => run.status === status).length,
  }))
  const parts = counts
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${RUN_WORDS[status].word.toLowerCase()}`)
  return `Last ${runs.length === 1 ? 'run' : `${runs.length} runs`}: ${parts.join(', ')}`
}
