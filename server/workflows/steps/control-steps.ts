// The steps that the interpreter executes itself. All other steps need services or the database.
import type { StepType } from '../../../contract/workflow-steps.ts'
import { branch } from './branch.ts'
import { condition } from './condition.ts'
import { delay } from './delay.ts'
import { fail } from './fail.ts'
import { forEach } from './for-each.ts'
import { setVariables } from './set-variables.ts'
import type { ControlStep } from './step.ts'
import { stop } from './stop.ts'

export const CONTROL_STEPS = {
  condition,
  branch,
  for_each: forEach,
  set_variables: setVariables,
  delay,
  stop,
  fail,
} satisfies Partial<Record<StepType, ControlStep>>

export type ControlType = keyof typeof CONTROL_STEPS
