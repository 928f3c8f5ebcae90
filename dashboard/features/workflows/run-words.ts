// Texts for runs and their steps.
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CirclePlay,
  CircleX,
  Clock,
  Hourglass,
  SkipForward,
} from 'lucide-react'
import type { RunFailure, RunStatus, StepStatus, WorkflowTrigger } from '../../../contract/workflow-states.ts'
import type { StateWords } from '../../ui/tone-chip.tsx'
import { formatDuration } from '../webhooks/delivery-words.ts'
import type { WorkflowRun } from './api/workflow-runs.ts'
import { secondsWords } from './seconds-words.ts'
import { TRIGGERS } from './trigger-words.ts'

export const RUN_WORDS: Readonly<Record<RunStatus, StateWords>> = {
  queued: { word: 'Queued', tone: 'muted', icon: Hourglass },
  running: { word: 'Running', tone: 'info', icon: CirclePlay },
  waiting: { word: 'Waiting', tone: 'warning', icon: Clock },
  completed: { word: 'Completed', tone: 'good', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'danger', icon: CircleX },
  cancelled: { word: 'Cancelled', tone: 'muted', icon: Ban },
}

/** `missed`: the run did not reach the step. */
export type StepState = StepStatus | 'missed'

export const STEP_WORDS: Readonly<Record<StepState, StateWords>> = {
  running: { word: 'Running', tone: 'info', icon: CirclePlay },
  waiting: { word: 'Waiting', tone: 'warning', icon: Clock },
  completed: { word: 'Completed', tone: 'good', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'danger', icon: CircleX },
  skipped: { word: 'Skipped', tone: 'muted', icon: SkipForward },
  missed: { word: 'Not reached', tone: 'muted', icon: CircleDashed },
}

/** What started a run. */
export function startWords(triggerEvent: string): string {
  if (triggerEvent === 'api') return 'API'
  return triggerEvent in TRIGGERS ? TRIGGERS[triggerEvent as WorkflowTrigger].title : triggerEvent
}

/** Advice for failures whose error contains none. */
export const FAILURE_ADVICE: Readonly<Record<RunFailure, string | undefined>> = {
  step_failed: 'Retry goes on from the step that failed; earlier steps are not repeated.',
  failed_by_step: undefined,
  loop_protection: 'Check which workflow starts which, and add a condition that ends it.',
  too_many_steps: 'Let it find fewer records, or split it into several workflows.',
  too_old: 'Retry continues from the step that it had reached.',
  definition_missing: 'Edit the workflow: it uses something that was deleted.',
  internal: 'Retry it. If it fails again, contact the operator of this service with the ID of the run.',
}

const MINUTE = 60_000

/** `120 ms`, `1.2 s`, `3 minutes 5 seconds` */
export const durationWords = (ms: number): string =>
  ms < MINUTE ? formatDuration(ms) : secondsWords(ms / 1000)

type Times = Pick<WorkflowRun, 'startedAt' | 'completedAt'>

/** From the first step to the end, in milliseconds; undefined: the run has not ended, or never started. */
export function runDuration({ startedAt, completedAt }: Times): number | undefined {
  if (startedAt === null || completedAt === null) return undefined
  return Math.max(0, Date.parse(completedAt) - Date.parse(startedAt))
}
