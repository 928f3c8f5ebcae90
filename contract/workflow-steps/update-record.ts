import { Type } from 'typebox'
import { closed, Data, ObjectRef, RECORD_OUTPUTS, RecordId, type StepContract } from './fields.ts'

export const updateRecord: StepContract = {
  config: Type.Object({ object: ObjectRef, recordId: RecordId, data: Data }, closed),
  outputs: { ...RECORD_OUTPUTS, created: 'any' },
}
