// Creates a new step with default values.
import { STEP_CONTRACTS, type StepType } from '../../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { freeKey } from './step-keys.ts'

/** @param taken keys that the definition uses already */
export function newStep(type: StepType, taken: ReadonlySet<string>): WorkflowStep {
  const { key, defaults } = STEP_CONTRACTS[type]
  return { key: freeKey(key, taken), type, config: structuredClone(defaults) }
}

export const EMPTY_DEFINITION: WorkflowDefinition = { trigger: 'manual', steps: [] }
