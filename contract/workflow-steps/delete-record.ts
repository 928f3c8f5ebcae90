import { Type } from 'typebox'
import { closed, ObjectRef, RecordId, type StepContract } from './fields.ts'

export const deleteRecord: StepContract = {
  group: 'Records',
  description: 'Permanently, with its values',
  keywords: 'remove',
  key: 'deleted',
  config: Type.Object({ object: ObjectRef, recordId: RecordId }, closed),
  defaults: { object: '', recordId: '' },
  outputs: { id: 'id', deleted: 'any' },
}
