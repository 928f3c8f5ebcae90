import { completeStep, ENDED } from '../interpreter/draft.ts'
import { textOf } from '../interpreter/values.ts'
import type { ControlStep } from './step.ts'

const execute: ControlStep['execute'] = (draft, here) => {
  const output = { message: textOf(here.input['message']) }
  return completeStep(draft, here, { output }) ?? ENDED
}

export const stop: ControlStep = { kind: 'control', execute, example: {} }
