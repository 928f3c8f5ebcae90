import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { CreateMissing, Data, ObjectRef, RECORD_OUTPUTS, type StepContract } from './fields.ts'

export const createRecord: StepContract = {
  group: 'Records',
  description: 'A new record of an object',
  keywords: 'add new',
  key: 'created',
  config: StrictObject({ object: ObjectRef, data: Data, createMissing: Type.Optional(CreateMissing) }),
  defaults: { object: '', data: {} },
  outputs: { ...RECORD_OUTPUTS, created: 'any' },
}
