import { errorText, leave, note } from '../interpreter/draft.ts'
import { textOf } from '../interpreter/values.ts'
import type { ControlStep } from './step.ts'

const execute: ControlStep['execute'] = (draft, here) => {
  const error = errorText(textOf(here.input['message'])) || 'The workflow ended the run as failed.'
  note(draft, here, { status: 'failed', error })
  leave(draft, draft.position)
  return { kind: 'end', status: 'failed', failure: 'failed_by_step', error }
}

export const fail: ControlStep = { kind: 'control', execute, example: { message: 'x' } }
