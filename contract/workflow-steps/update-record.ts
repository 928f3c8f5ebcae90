import { StrictObject } from '../common.ts'
import { Data, ObjectRef, RECORD_OUTPUTS, RecordId, type StepContract } from './fields.ts'

export const updateRecord: StepContract = {
  group: 'Records',
  description: 'Set values of a record',
  keywords: 'set change edit',
  key: 'updated',
  config: StrictObject({ object: ObjectRef, recordId: RecordId, data: Data }),
  defaults: { object: '', recordId: '', data: {} },
  outputs: { ...RECORD_OUTPUTS, created: 'any' },
}
