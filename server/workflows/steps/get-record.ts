import { AppError } from '../../base/errors.ts'
import { getRecord as readRecord } from '../../records/read/service.ts'
import { checkObject, checkRecordId, type StepCheck } from '../check/record-checks.ts'
import { objectOf, parsed, stepText } from './record-steps.ts'
import type { DataStep, StepWork } from './step.ts'

function check(check: StepCheck): void {
  checkObject(check.config['object'], `${check.path}.object`, check)
  checkRecordId(check.config['recordId'], `${check.path}.recordId`, check.report)
}

async function perform(work: StepWork) {
  const { ctx, caller, input } = work
  const object = await objectOf(work)
  try {
    return {
      found: true,
      record: parsed(await readRecord(ctx, caller, object, { recordId: stepText(input['recordId']) })),
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { found: false, record: null }
    throw error
  }
}

export const getRecord: DataStep = {
  kind: 'data',
  isReading: true,
  check,
  perform,
  example: { object: 'people', recordId: '0198c0de-0000-7000-8000-000000000009' },
}
