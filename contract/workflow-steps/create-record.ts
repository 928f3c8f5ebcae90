import { Type } from 'typebox'
import { closed, Data, ObjectRef, RECORD_OUTPUTS, type StepContract } from './fields.ts'

export const createRecord: StepContract = {
  group: 'Records',
  description: 'A new record of an object',
  keywords: 'add new',
  key: 'created',
  config: Type.Object({ object: ObjectRef, data: Data }, closed),
  defaults: { object: '', data: {} },
  outputs: { ...RECORD_OUTPUTS, created: 'any' },
}
