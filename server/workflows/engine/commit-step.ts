// Saves the result of a step, in one transaction with its effects.
import type { Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { recordEvent } from '../../events/outbox.ts'
import type { Advance } from '../interpreter/state.ts'
import { wakeNext } from './end-store.ts'
import { type Execution, LostRun, type Step, writtenOf } from './execution.ts'
import { saveEnd, saveRunProgress } from './save-store.ts'

type Next = Advance['next']
type End = Extract<Next, { kind: 'end' }>

/** Records the event of the end, with the body that contract/event-bodies.ts describes. */
function announceEnd(
  tx: Db,
  { claimed, caller }: Execution,
  times: { startedAt: string; completedAt: string },
  end: End,
): Promise<number> {
  const data = {
    workflowId: claimed.workflow,
    workflowName: claimed.workflowName,
    runId: claimed.id,
    status: end.status,
    triggerEvent: claimed.triggerEvent,
    error: end.status === 'failed' ? end.error : null,
    ...times,
  }
  return recordEvent(tx, caller, { type: `workflow.${end.status}`, subject: claimed.id, data })
}

/** A step that failed the run does not count as executed: a retry continues with it. */
function executedOf({ state, history }: Step, end: End): number {
  if (end.status === 'completed' || !['step_failed', 'failed_by_step'].includes(end.failure))
    return state.executed
  return Math.max(...history.keys())
}

async function commitEnd(tx: Db, execution: Execution, step: Step, { end, now }: { end: End; now: Sql }) {
  const { claimed, held } = execution
  const hasFailed = end.status === 'failed'
  const times = await saveEnd(tx, held, {
    ...writtenOf(step),
    status: end.status,
    position: JSON.stringify(step.state.position),
    executed: executedOf(step, end),
    failure: hasFailed ? end.failure : null,
    error: hasFailed ? end.error : null,
    now,
  })
  if (!times) throw new LostRun()
  await announceEnd(tx, execution, times, end)
  await wakeNext(tx, claimed, now)
}

/**
 * Runs in the transaction of the step's effects.
 * @throws LostRun if another worker holds the run: the transaction must be rolled back
 */
export async function commitStep(tx: Db, execution: Execution, step: Step, now: Sql): Promise<void> {
  const { claimed, held } = execution
  const { state, next } = step
  if (next.kind === 'end') return commitEnd(tx, execution, step, { end: next, now })
  const isSaved = await saveRunProgress(tx, held, {
    ...writtenOf(step),
    status: next.kind === 'wait' ? 'waiting' : 'running',
    position: JSON.stringify(state.position),
    executed: state.executed,
    tries: state.tries,
    wakeAt: state.wakeAt,
    dueAt: next.kind === 'wait' ? next.until.toISOString() : null,
  })
  if (!isSaved) throw new LostRun()
  // A run that waits for a time keeps its concurrency key. Without a key, only the number of runs is limited, and
  // another run can start.
  if (next.kind === 'wait' && claimed.concurrencyKey === null) await wakeNext(tx, claimed, now)
}
