// What the effect of a step is given.

import type { WorkflowStep } from '../../../contract/workflows.ts'
import type { Caller, Context } from '../../context.ts'

export interface StepWork {
  /** `db`: the transaction, for steps on our own data. */
  ctx: Context
  /** In whose name it happens. */
  caller: Caller
  /** Of the step: `steps[1].big.steps[0]` */
  path: string
  type: WorkflowStep['type']
  /** The config with templates filled in, secrets masked; what templates yield is not checked yet. */
  input: Readonly<Record<string, unknown>>
  run: { id: string }
  workflow: { id: string; name: string }
  /** Nothing leaves: what would be sent is answered instead. */
  isDry?: boolean | undefined
}
