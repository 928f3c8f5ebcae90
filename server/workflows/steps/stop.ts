import { ENDED } from '../interpreter/advancing-run.ts'
import { textOf } from '../interpreter/values.ts'
import type { ControlStep } from './step.ts'

const execute: ControlStep['execute'] = (run, current) => {
  const output = { message: textOf(current.input['message']) }
  return run.complete(current, { output }) ?? ENDED
}

export const stop: ControlStep = { kind: 'control', execute, example: {} }
