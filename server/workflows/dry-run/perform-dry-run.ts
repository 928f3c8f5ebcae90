// Executes a run immediately, in a transaction that the caller rolls back.
import type { DryRunResult } from '../../../contract/workflow-dashboard.ts'
import { STEP_CONTRACTS } from '../../../contract/workflow-steps.ts'
import type { RunStep, WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import type { Caller } from '../../base/caller.ts'
import { yieldToEventLoop } from '../../base/event-loop.ts'
import { parseJson } from '../../base/json.ts'
import type { WorkflowContext } from '../context.ts'
import { followPaths, valuesAfter } from '../engine/followed-values.ts'
import { historyText } from '../engine/json-text.ts'
import { advance, begin } from '../interpreter/advance.ts'
import type { Advance, Next, RunFacts, RunState, StepEvent, StepLogEntry } from '../interpreter/state.ts'
import { failureOf } from '../steps/failure.ts'
import { performDry } from '../steps/perform.ts'

export const DRY_RUN_MS = 10_000
export const DRY_RUN_STEPS = 300

export interface WorkflowDryRun {
  /** Its `db` is the transaction. */
  ctx: WorkflowContext
  caller: Caller
  definition: WorkflowDefinition
  facts: RunFacts
  untilKey: string | undefined
}

type Perform = Extract<Next, { kind: 'perform' }>

/** Returns outgoing requests without sending them. Changes of data are made, and rolled back with the transaction. */
async function perform(
  { ctx, caller, facts }: WorkflowDryRun,
  { path, step, input }: Perform,
): Promise<unknown> {
  // Not prepared for sending: secrets are masked here, so its headers would be wrong.
  if (STEP_CONTRACTS[step.type].readsSecrets) return { wouldSend: input }
  const { id } = facts.run
  const run = { id, firstId: id }
  const work = { caller, path, type: step.type, input, run, workflow: facts.workflow }
  // A savepoint: after a failure, the transaction can execute the next step.
  return ctx.db.transaction((tx) => performDry({ ...work, ctx: { ...ctx, db: tx } }))
}

const DEFECT = 'This step failed because of an internal error.'

async function eventOf(dryRun: WorkflowDryRun, next: Perform): Promise<StepEvent> {
  try {
    return { kind: 'succeeded', output: await perform(dryRun, next) }
  } catch (error) {
    const failure = failureOf(error)
    if (!failure) dryRun.ctx.log.error({ err: error }, 'a step of a dry run failed with an unexpected error')
    // A dry run does not wait for a later attempt.
    return { kind: 'failed', message: failure?.message ?? DEFECT, isTransient: false }
  }
}

/** The part of a value that the history of a run would store. */
const shown = (value: unknown): unknown => parseJson(historyText(value))

/** The steps of the dry run by their place in the history, with the times of this process. */
class StepLog {
  readonly #lines = new Map<number, RunStep>()

  add(log: readonly StepLogEntry[], tookMs: number): void {
    for (const { place, input, output, ...line } of log) {
      const startedAt = this.#lines.get(place)?.startedAt ?? new Date().toISOString()
      const durationMs = line.status === 'running' ? null : tookMs
      this.#lines.set(place, { ...line, startedAt, durationMs, input: shown(input), output: shown(output) })
    }
  }

  /** The steps in the order of their start, up to and including the step `untilKey`. */
  steps(untilKey: string | undefined): RunStep[] {
    const steps = [...this.#lines].sort(([a], [b]) => a - b).map(([, step]) => step)
    const last = steps.findIndex(({ key, status }) => key === untilKey && status !== 'running')
    return last === -1 ? steps : steps.slice(0, last + 1)
  }

  has(untilKey: string | undefined): boolean {
    return [...this.#lines.values()].some(({ key, status }) => key === untilKey && status !== 'running')
  }
}

type Verdict = Pick<DryRunResult, 'status' | 'error'>
type Going = Exclude<Next, { kind: 'end' }>

const COMPLETED: Verdict = { status: 'completed', error: null }

/** undefined: the run continues. */
function verdictOn({ state, next }: Advance, deadline: number): Verdict | undefined {
  if (next.kind === 'end')
    return next.status === 'completed' ? COMPLETED : { status: 'failed', error: next.error }
  if (state.executed >= DRY_RUN_STEPS)
    return { status: 'incomplete', error: `A dry run stops after ${DRY_RUN_STEPS} steps.` }
  if (performance.now() >= deadline)
    return { status: 'incomplete', error: `A dry run stops after ${DRY_RUN_MS / 1000} seconds.` }
  return undefined
}

/** Delays end immediately: the clock of the run jumps. */
const afterWait = (next: Going, now: Date): Date =>
  next.kind === 'wait' && next.until > now ? next.until : now

/** Continues the run, with the current values behind references. */
async function proceed(
  { ctx, caller, definition, facts }: WorkflowDryRun,
  { state, event, step, now }: { state: RunState; event: StepEvent; step?: WorkflowStep; now: Date },
): Promise<Advance> {
  const values = step ? valuesAfter(state.values, step, event) : state.values
  const { position } = state
  const followed = await followPaths(ctx, { org: caller.org, definition, facts, values, position })
  return advance(definition, { ...facts, followed }, state, event, now)
}

/** Executes the run until it ends, a limit is reached, or the step `untilKey` is done. */
export async function performDryRun(
  dryRun: WorkflowDryRun,
  now: Date,
): Promise<Omit<DryRunResult, 'trigger'>> {
  const { untilKey } = dryRun
  const deadline = performance.now() + DRY_RUN_MS
  const log = new StepLog()
  let clock = now
  let advanced = await proceed(dryRun, { state: begin(), event: { kind: 'go' }, now: clock })
  log.add(advanced.stepLog, 0)
  for (;;) {
    const { state, next } = advanced
    const verdict = log.has(untilKey) ? COMPLETED : verdictOn(advanced, deadline)
    if (verdict || next.kind === 'end') return { ...(verdict ?? COMPLETED), steps: log.steps(untilKey) }
    clock = afterWait(next, clock)
    if (next.kind === 'pause') await yieldToEventLoop()
    const began = performance.now()
    const event: StepEvent = next.kind === 'perform' ? await eventOf(dryRun, next) : { kind: 'go' }
    const performed = next.kind === 'perform' ? { step: next.step } : {}
    advanced = await proceed(dryRun, { state, event, now: clock, ...performed })
    log.add(advanced.stepLog, performance.now() - began)
  }
}
