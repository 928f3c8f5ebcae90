import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { CreateMissing, Data, field, ObjectRef, RECORD_OUTPUTS, type StepContract } from './fields.ts'

export const upsertRecord: StepContract = {
  group: 'Records',
  description: 'By an attribute that is unique',
  keywords: 'upsert save',
  key: 'saved',
  config: StrictObject({
    object: ObjectRef,
    matchOn: Type.String({ minLength: 1, ...field('attribute', 'Match on', 'A unique attribute') }),
    data: Data,
    createMissing: Type.Optional(CreateMissing),
  }),
  defaults: { object: '', matchOn: '', data: {} },
  outputs: { ...RECORD_OUTPUTS, created: 'any' },
}
