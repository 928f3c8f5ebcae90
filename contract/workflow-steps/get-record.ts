import { Type } from 'typebox'
import { closed, ObjectRef, RecordId, type StepContract } from './fields.ts'

export const getRecord: StepContract = {
  config: Type.Object({ object: ObjectRef, recordId: RecordId }, closed),
  outputs: { found: 'any', record: 'record' },
}
