// The last runs of a workflow as bars, and in words.
import { counted } from '../../../../contract/counted.ts'
import { RUN_STATUSES, type RunStatus } from '../../../../contract/workflow-states.ts'
import { formatExact } from '../../webhooks/delivery-words.ts'
import type { WorkflowFigures } from '../api/workflows.ts'
import { durationWords, RUN_WORDS } from '../run-words.ts'

type Run = WorkflowFigures['runs'][number]

export interface RunBar {
  id: string
  status: RunStatus
  /** Height by duration, as a share from 0 to 1. */
  size: number
  /** Shown on hover. */
  title: string
}

/** The minimum, so that every run is visible. */
const LEAST = 0.25

/** The size of a run with median duration. */
const USUAL = 0.5

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Oldest first. Relative to the median, so that a run that waited for days does not make all others tiny. */
export function runBars(runs: readonly Run[]): RunBar[] {
  const usual = Math.max(1, median(runs.flatMap(({ durationMs }) => durationMs ?? [])))
  return runs.map(({ id, status, durationMs, createdAt }) => ({
    id,
    status,
    size: Math.min(1, Math.max(LEAST, USUAL * Math.sqrt((durationMs ?? 0) / usual))),
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
  return `Last ${runs.length === 1 ? 'run' : counted(runs.length, 'run')}: ${parts.join(', ')}`
}
