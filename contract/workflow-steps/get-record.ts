import { Type } from 'typebox'
import { closed, ObjectRef, RecordId, type StepContract } from './fields.ts'

export const getRecord: StepContract = {
  group: 'Records',
  description: 'One record, by its id',
  keywords: '',
  key: 'record',
  config: Type.Object({ object: ObjectRef, recordId: RecordId }, closed),
  defaults: { object: '', recordId: '' },
  outputs: { found: 'any', record: 'record' },
}
