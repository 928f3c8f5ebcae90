import { Type } from 'typebox'
import { closed, ObjectRef, RecordId, type StepContract } from './fields.ts'

export const deleteRecord: StepContract = {
  config: Type.Object({ object: ObjectRef, recordId: RecordId }, closed),
  outputs: { id: 'id', deleted: 'any' },
}
