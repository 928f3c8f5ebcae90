// What a step is like when it is added: as much of it as can be known.
import { STEP_CONTRACTS, type StepType } from '../../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { freeKey } from './step-keys.ts'

/** @param taken keys of the definition that it will be in */
export function newStep(type: StepType, taken: ReadonlySet<string>): WorkflowStep {
  const { key, defaults } = STEP_CONTRACTS[type]
  return { key: freeKey(key, taken), type, config: structuredClone(defaults) }
}

export const EMPTY_DEFINITION: WorkflowDefinition = { trigger: 'manual', steps: [] }
