// What a type of step is to the server.
import type { WorkflowStep } from '../../../contract/workflows.ts'
import type { Caller } from '../../base/caller.ts'
import type { StepCheck } from '../check/record-checks.ts'
import type { WorkflowContext } from '../context.ts'
import type { AdvancingRun, CurrentStep } from '../interpreter/advancing-run.ts'
import type { Secrets } from '../interpreter/scope.ts'
import type { Next } from '../interpreter/state.ts'

export interface StepWork {
  /** `db`: the transaction, for steps on our own data. */
  ctx: WorkflowContext
  /** In whose name it happens. */
  caller: Caller
  /** Of the step: `steps[1].big.steps[0]` */
  path: string
  type: WorkflowStep['type']
  /** The config with templates filled in, secrets masked; what templates yield is not checked yet. */
  input: Readonly<Record<string, unknown>>
  /** `firstId` is the same in every retry of a run: receivers recognize requests and messages by it. */
  run: { id: string; firstId: string }
  workflow: { id: string; name: string }
  /** Nothing leaves: what would be sent is answered instead. */
  isDry?: boolean | undefined
}

export interface NetworkWork extends StepWork {
  /** The config before templates were filled in. */
  config: object
  /** The config with secrets in their places. */
  real: (secrets: Secrets) => Readonly<Record<string, unknown>>
  /** Ends the request; it then rejects with the signal's reason. */
  signal?: AbortSignal
}

interface Step {
  /** Before the workflow is enabled: what the config needs beyond its schema. */
  check?(check: StepCheck): void
  /** A config without problems, which the tests use. */
  example: Readonly<Record<string, unknown>>
}

/** Decides where the run goes on, and touches nothing outside of it: the interpreter executes it. */
export interface ControlStep extends Step {
  kind: 'control'
  /** @returns what comes next; undefined: the step at the position that it left the run at */
  execute(run: AdvancingRun, current: CurrentStep): Next | undefined
}

/** On our own data: in the transaction `work.ctx.db`, which is undone when the step fails. */
export interface DataStep extends Step {
  kind: 'data'
  isReading?: true
  /** @returns the output @throws StepFailure, AppError: failureOf says either in words; anything else is a defect */
  perform(work: StepWork): Promise<unknown>
}

/** Beyond our own data, or longer than a transaction should be: outside of any. */
export interface NetworkStep extends Step {
  kind: 'network'
  /** As of a DataStep. */
  perform(work: NetworkWork): Promise<unknown>
}
