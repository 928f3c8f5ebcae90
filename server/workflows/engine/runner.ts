// Executes a run, step by step, until it ends, waits, or its lease is lost.
import type { Sql } from 'sql-template-tag'
import { yieldToEventLoop } from '../../base/event-loop.ts'
import type { Db } from '../../db/pool.ts'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import type { WorkflowContext } from '../context.ts'
import { type Secrets, scopeOf } from '../interpreter/scope.ts'
import type { Advance, StepEvent } from '../interpreter/state.ts'
import { resolveConfig } from '../interpreter/templates.ts'
import { failureOf, StepFailure } from '../steps/failure.ts'
import { isNetworkStep, isReadingStep, performData, performNetwork } from '../steps/perform.ts'
import type { StepWork } from '../steps/step.ts'
import { handBack } from './claim-store.ts'
import { commitStep } from './commit-step.ts'
import { type Execution, LostRun, type Step, stepOn } from './execution.ts'
import { followPaths, valuesAfter } from './followed-values.ts'

export interface RunnerContext {
  ctx: WorkflowContext
  /** The database's clock. */
  now: Sql
  /** Runs a transaction with a limited number of connections, because requests need the others. */
  transaction: Db['transaction']
  /** When aborted, no further step starts. */
  stopping: AbortSignal
  onStep: (type: string, status: 'completed' | 'failed') => void
}

type Perform = Extract<Advance['next'], { kind: 'perform' }>

const NOTHING: Pick<Step, 'writes' | 'history'> = { writes: {}, history: new Map() }

function workOf({ ctx }: RunnerContext, { caller, facts, claimed }: Execution, next: Perform): StepWork {
  const { path, step, input } = next
  const run = { id: claimed.id, firstId: claimed.firstId }
  return { ctx, caller, path, type: step.type, input, run, workflow: facts.workflow }
}

/** Saves the result of `take`, in the same transaction as its effects. */
async function save(
  { ctx, now, transaction }: RunnerContext,
  execution: Execution,
  take: (tx: Db) => Promise<Step> | Step,
): Promise<Step> {
  const step = await transaction(async (tx) => {
    const taken = await take(tx)
    await commitStep(tx, execution, taken, now)
    return taken
  })
  const { executed, tries, position } = step.state
  execution.held.executed = executed
  execution.held.tries = tries
  execution.held.position = JSON.stringify(position)
  // The end of a run writes an event, and an ended or waiting run makes room for others.
  if (step.next.kind === 'end' || step.next.kind === 'wait') ctx.wake.work()
  return step
}

const DEFECT =
  'This step failed because of an internal error: the log of the service has details under the id of this run.'

/** The event of a failed step. @throws errors that are not caused by the step */
function failedEvent({ ctx }: RunnerContext, { claimed, signal }: Execution, error: unknown): StepEvent {
  if (error instanceof LostRun || signal.aborted || isDatabaseUnavailable(error)) throw error
  const failure = failureOf(error)
  if (failure) return { kind: 'failed', message: failure.message, isTransient: failure.isTransient }
  ctx.log.error({ err: error, run: claimed.id }, 'a step of a workflow failed with an unexpected error')
  return { kind: 'failed', message: DEFECT, isTransient: false }
}

interface Happened {
  event: StepEvent
  startedAt: Date
}

/** Continues the run, with the current values behind references. @param of the performed step, if there is one */
async function proceed(
  { ctx }: RunnerContext,
  execution: Execution,
  pending: Pick<Step, 'state' | 'writes' | 'history'>,
  { event, startedAt, of, db = ctx.db }: Happened & { of?: Perform | undefined; db?: Db },
): Promise<Step> {
  const { claimed, definition, facts } = execution
  const { values: before, position } = pending.state
  const values = of ? valuesAfter(before, of.step, event) : before
  const reader = { org: claimed.org, definition, facts, values, position }
  execution.facts = { ...facts, followed: await followPaths({ db, models: ctx.models }, reader) }
  return stepOn(execution, pending, { event, startedAt })
}

/** Saves effect, result and next position in one transaction. */
async function takeDataStep(runner: RunnerContext, execution: Execution, pending: Step, next: Perform) {
  const startedAt = execution.clock()
  const work = workOf(runner, execution, next)
  try {
    const step = await save(runner, execution, async (tx) => {
      const output = await performData({ ...work, ctx: { ...work.ctx, db: tx } })
      const event = { kind: 'succeeded' as const, output }
      const done = await proceed(runner, execution, pending, { event, startedAt, of: next, db: tx })
      const { status, error } = done.history.get(pending.state.executed) ?? {}
      // The output cannot be saved. The effect is rolled back too, because a retry of the run would repeat it.
      if (status === 'failed') throw new StepFailure(error ?? '')
      return done
    })
    if (!isReadingStep(next.step.type)) runner.ctx.wake.events()
    return step
  } catch (error) {
    const event = failedEvent(runner, execution, error)
    const failed = await proceed(runner, execution, pending, { event, startedAt })
    return save(runner, execution, () => failed)
  }
}

/** The config with real secrets, which are not in the state or the history. */
const realConfig = (execution: Execution, { state }: Step, { step }: Perform) => {
  const { definition, facts, clock } = execution
  const scope = scopeOf(definition, facts, state, clock())
  return (secrets: Secrets) => resolveConfig(step, scope, secrets)
}

/**
 * The request is sent first and its result saved afterwards. After a crash in between it is sent again, with the same
 * Idempotency-Key.
 */
async function takeNetworkStep(runner: RunnerContext, execution: Execution, pending: Step, next: Perform) {
  const startedAt = execution.clock()
  // Saves the control steps first, so that users see them while the request is in flight.
  if (pending.state.executed > execution.held.executed) await save(runner, execution, () => pending)
  const work = {
    ...workOf(runner, execution, next),
    config: next.step.config,
    real: realConfig(execution, pending, next),
    signal: execution.signal,
  }
  const event = await performNetwork(work).then(
    (output): StepEvent => ({ kind: 'succeeded', output }),
    (error) => failedEvent(runner, execution, error),
  )
  const step = await proceed(runner, execution, pending, { event, startedAt, of: next })
  return save(runner, execution, () => step)
}

const statusOf = ({ history }: Step, place: number) =>
  history.get(place)?.status === 'completed' ? 'completed' : 'failed'

/** Continues from a saved state. */
const goOn = (runner: RunnerContext, execution: Execution, state: Step['state']): Promise<Step> =>
  proceed(runner, execution, { state, ...NOTHING }, { event: { kind: 'go' }, startedAt: execution.clock() })

/** @throws LostRun, or the error of an unavailable database */
export async function executeRun(runner: RunnerContext, execution: Execution): Promise<void> {
  // Runs that were claimed together start one by one.
  await yieldToEventLoop()
  let step = await goOn(runner, execution, execution.state)
  let isKept = false
  while (step.next.kind === 'perform' || step.next.kind === 'pause') {
    if (runner.stopping.aborted) {
      await handBack(runner.ctx.db, [execution.held], runner.now)
      return
    }
    if (step.next.kind === 'pause') {
      if (!isKept) await save(runner, execution, () => step)
      await yieldToEventLoop()
      step = await goOn(runner, execution, step.state)
      isKept = false
      continue
    }
    const { next, state } = step
    const take = isNetworkStep(next.step.type) ? takeNetworkStep : takeDataStep
    const done = await take(runner, execution, step, next)
    runner.onStep(next.step.type, statusOf(done, state.executed))
    // Saved steps are not saved again.
    step = { ...done, ...NOTHING }
    isKept = true
  }
  if (!isKept) await save(runner, execution, () => step)
}
