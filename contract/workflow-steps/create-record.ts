import { Type } from 'typebox'
import { closed, Data, ObjectRef, RECORD_OUTPUTS, type StepContract } from './fields.ts'

export const createRecord: StepContract = {
  config: Type.Object({ object: ObjectRef, data: Data }, closed),
  outputs: { ...RECORD_OUTPUTS, created: 'any' },
}
