import { deleteRecord as removeRecord } from '../../records/write/service.ts'
import { checkRecordId, type StepCheck, writableObject } from '../check/record-checks.ts'
import { namingOneRecord, objectOf, stepText } from './record-steps.ts'
import type { DataStep, StepWork } from './step.ts'

function check(check: StepCheck): void {
  writableObject(check)
  checkRecordId(check.config['recordId'], `${check.path}.recordId`, check.report)
}

async function perform(work: StepWork) {
  const { ctx, caller, input } = work
  const { recordId } = input
  const deletion = { recordId: stepText(recordId), ifMatch: undefined }
  const id = await removeRecord(ctx, caller, await objectOf(work), deletion).catch(namingOneRecord(recordId))
  return { id, deleted: true }
}

export const deleteRecord: DataStep = {
  kind: 'data',
  check,
  perform,
  example: { object: 'people', recordId: '{{trigger.recordId}}' },
}
