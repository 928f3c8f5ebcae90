import { Type } from 'typebox'
import { closed, Data, ObjectRef, RECORD_OUTPUTS, RecordId, type StepContract } from './fields.ts'

export const updateRecord: StepContract = {
  group: 'Records',
  description: 'Set values of a record',
  keywords: 'set change edit',
  key: 'updated',
  config: Type.Object({ object: ObjectRef, recordId: RecordId, data: Data }, closed),
  defaults: { object: '', recordId: '', data: {} },
  outputs: { ...RECORD_OUTPUTS, created: 'any' },
}
