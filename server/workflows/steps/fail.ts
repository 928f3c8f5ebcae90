import { errorText } from '../interpreter/advancing-run.ts'
import { textOf } from '../interpreter/values.ts'
import type { ControlStep } from './step.ts'

const execute: ControlStep['execute'] = (run, current) => {
  const error = errorText(textOf(current.input['message'])) || 'The workflow ended the run as failed.'
  run.note(current, { status: 'failed', error })
  run.leave(run.position)
  return { kind: 'end', status: 'failed', failure: 'failed_by_step', error }
}

export const fail: ControlStep = { kind: 'control', execute, example: { message: 'x' } }
