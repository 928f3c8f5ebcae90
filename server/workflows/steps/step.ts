// Types of the server's implementations of steps.
import type { WorkflowStep } from '../../../contract/workflows.ts'
import type { Caller } from '../../base/caller.ts'
import type { StepCheck } from '../check/record-checks.ts'
import type { WorkflowContext } from '../context.ts'
import type { AdvancingRun, CurrentStep } from '../interpreter/advancing-run.ts'
import type { Secrets } from '../interpreter/scope.ts'
import type { Next } from '../interpreter/state.ts'

export interface StepWork {
  /** For data steps, `db` is the transaction. */
  ctx: WorkflowContext
  /** The author of the changes. */
  caller: Caller
  /** The path of the step: `steps[1].big.steps[0]` */
  path: string
  type: WorkflowStep['type']
  /** The config with resolved templates and masked secrets. Results of templates are not checked yet. */
  input: Readonly<Record<string, unknown>>
  /** `firstId` is the same in every retry of a run: receivers detect repeated requests and messages by it. */
  run: { id: string; firstId: string }
  workflow: { id: string; name: string }
  /** Nothing is sent; the step returns the request or message instead. */
  isDry?: boolean | undefined
}

export interface NetworkWork extends StepWork {
  /** The config before its templates are resolved. */
  config: object
  /** The config with real secrets. */
  real: (secrets: Secrets) => Readonly<Record<string, unknown>>
  /** Aborts the request, which then rejects with the reason of the signal. */
  signal?: AbortSignal
}

interface Step {
  /** Checks the config beyond its schema, before the workflow is enabled. */
  check?(check: StepCheck): void
  /** A config without problems, for tests. */
  example: Readonly<Record<string, unknown>>
}

/** Executed by the interpreter: changes only the run and its position. */
export interface ControlStep extends Step {
  kind: 'control'
  /** @returns the next action; undefined: continue with the step at the new position */
  execute(run: AdvancingRun, current: CurrentStep): Next | undefined
}

/** Works on data of the service, in the transaction `work.ctx.db`, which is rolled back if the step fails. */
export interface DataStep extends Step {
  kind: 'data'
  isReading?: true
  /** @returns the output @throws StepFailure, AppError: `failureOf` converts both; any other error is a defect */
  perform(work: StepWork): Promise<unknown>
}

/** Works outside a transaction, because it uses other services or takes too long. */
export interface NetworkStep extends Step {
  kind: 'network'
  /** As `perform` of a DataStep. */
  perform(work: NetworkWork): Promise<unknown>
}
