import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { CreateMissing, Data, ObjectRef, RECORD_OUTPUTS, RecordId, type StepContract } from './fields.ts'

export const updateRecord: StepContract = {
  group: 'Records',
  description: 'Set values of a record',
  keywords: 'set change edit',
  key: 'updated',
  config: StrictObject({
    object: ObjectRef,
    recordId: RecordId,
    data: Data,
    createMissing: Type.Optional(CreateMissing),
  }),
  defaults: { object: '', recordId: '', data: {} },
  outputs: { ...RECORD_OUTPUTS, created: 'any' },
}
