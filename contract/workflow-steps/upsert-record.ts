import { Type } from 'typebox'
import { closed, Data, field, ObjectRef, RECORD_OUTPUTS, type StepContract } from './fields.ts'

export const upsertRecord: StepContract = {
  config: Type.Object(
    {
      object: ObjectRef,
      matchOn: Type.String({ minLength: 1, ...field('attribute', 'Match on', 'A unique attribute') }),
      data: Data,
    },
    closed,
  ),
  outputs: { ...RECORD_OUTPUTS, created: 'any' },
}
