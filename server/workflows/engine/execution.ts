// A run that a worker holds: its definition, its values, and the changes that are not saved yet.
import { RUN_STEPS_MAX } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import type { Caller } from '../../base/caller.ts'
import { parseJson } from '../../base/json.ts'
import { advance } from '../interpreter/advance.ts'
import type { Advance, RunFacts, RunState, StepEvent, StepLogEntry } from '../interpreter/state.ts'
import type { ClaimedRun } from './claim-store.ts'
import { historyText, jsonText } from './json-text.ts'
import type { Held, RunHistoryRow } from './save-store.ts'

/** Another worker holds the run, or it was cancelled: everything since the last save is rolled back. */
export class LostRun extends Error {
  override readonly name = 'LostRun'
}

export interface Execution {
  claimed: ClaimedRun
  /** `position`: JSON text */
  held: Held & { position: string }
  definition: WorkflowDefinition
  facts: RunFacts
  caller: Caller
  state: RunState
  /** By the database's clock. */
  clock(): Date
  /** Aborted when the lease is lost or the process stops. */
  signal: AbortSignal
}

/** The result of one or more events, saved together. */
export interface Step {
  state: RunState
  next: Advance['next']
  writes: Readonly<Record<string, unknown>>
  /** By place in the history. */
  history: ReadonlyMap<number, RunHistoryRow>
}

const callerOf = (run: ClaimedRun): Caller => ({
  org: run.org,
  orgId: run.orgId,
  // null if the creator of the workflow was deleted: events then have no author, and activities cannot be created.
  userId: run.userId as string,
  keyId: null,
  run: run.id,
  workflow: run.workflow,
  country: run.country,
  currency: run.currency,
})

/** How many control steps are saved together with a performed step. */
const STEPS_AT_ONCE = 50
/** How long a run can block the event loop. Steps with long texts take long. */
const MS_AT_ONCE = 10

const factsOf = (run: ClaimedRun): RunFacts => ({
  run: { id: run.id, startedAt: run.startedAt },
  workflow: { id: run.workflow, name: run.workflowName },
  organization: { id: run.orgId, name: run.organizationName, timeZone: run.timeZone },
  trigger: parseJson(run.input) as RunFacts['trigger'],
  stepsMax: RUN_STEPS_MAX,
  stepsAtOnce: STEPS_AT_ONCE,
})

const stateOf = ({ position, values, executed, tries, wakeAt }: ClaimedRun): RunState => ({
  position: parseJson(position) as RunState['position'],
  values: parseJson(values) as RunState['values'],
  executed,
  tries,
  wakeAt,
})

/** The current time, from the database's clock at the claim and the time since then. */
function clockOf({ now }: ClaimedRun, monotonic: () => number): () => Date {
  const [began, then] = [monotonic(), Date.parse(now)]
  return () => new Date(then + monotonic() - began)
}

/** @param monotonic a clock in ms with any start */
export const openExecution = (
  claimed: ClaimedRun,
  definition: WorkflowDefinition,
  { signal, monotonic }: { signal: AbortSignal; monotonic: () => number },
): Execution => {
  const { org, id, fence, executed, tries, position } = claimed
  return {
    ...{ claimed, definition, signal, held: { org, id, fence, executed, tries, position } },
    facts: factsOf(claimed),
    caller: callerOf(claimed),
    state: stateOf(claimed),
    clock: clockOf(claimed, monotonic),
  }
}

const isOver = ({ status }: StepLogEntry) => status !== 'running' && status !== 'waiting'

const historyRow = (line: StepLogEntry, startedAt: Date, now: Date): RunHistoryRow => ({
  place: line.place,
  path: line.path,
  key: line.key,
  type: line.type,
  status: line.status,
  attempts: line.attempts,
  startedAt: startedAt.toISOString(),
  endedAt: isOver(line) ? now.toISOString() : null,
  resumeAt: line.resumeAt,
  input: historyText(line.input),
  output: historyText(line.output),
  error: line.error,
})

/** Converts the interpreter's result for an event into rows to save, in addition to those of `pending`. */
export function stepOn(
  { definition, facts, clock }: Execution,
  pending: Pick<Step, 'state' | 'writes' | 'history'>,
  { event, startedAt }: { event: StepEvent; startedAt: Date },
): Step {
  const now = clock()
  const until = performance.now() + MS_AT_ONCE
  const hasTime = () => performance.now() < until
  const { stepLog, writes, ...advanced } = advance(
    definition,
    { ...facts, hasTime },
    pending.state,
    event,
    now,
  )
  const rows = stepLog.map((line) => {
    const isPerformed = line.place === pending.state.executed
    return historyRow(line, isPerformed ? startedAt : now, now)
  })
  const history = new Map([...pending.history, ...rows.map((row) => [row.place, row] as const)])
  return { ...advanced, writes: { ...pending.writes, ...writes }, history }
}

export const writtenOf = ({ writes, history }: Step) => ({
  values: Object.entries(writes).map(([key, value]) => ({ key, value: jsonText(value) })),
  history: [...history.values()],
})
