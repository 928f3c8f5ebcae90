import { patchRecord } from '../../records/write/service.ts'
import { checkDataOf, checkRecordId, type StepCheck, writableObject } from '../check/record-checks.ts'
import { createsMissing, namingOneRecord, objectOf, stepData, stepText, written } from './record-steps.ts'
import type { DataStep, StepWork } from './step.ts'

function check(check: StepCheck): void {
  checkDataOf(writableObject(check), check)
  checkRecordId(check.config['recordId'], `${check.path}.recordId`, check.report)
}

async function perform(work: StepWork) {
  const { ctx, caller, input } = work
  const { recordId } = input
  const patch = {
    recordId: stepText(recordId),
    data: stepData(work),
    createMissing: createsMissing(work),
    ifMatch: undefined,
  }
  return written(await patchRecord(ctx, caller, await objectOf(work), patch).catch(namingOneRecord(recordId)))
}

export const updateRecord: DataStep = {
  kind: 'data',
  check,
  perform,
  example: { object: 'people', recordId: '{{trigger.recordId}}', data: { tags: ['a', '{{now}}'] } },
}
