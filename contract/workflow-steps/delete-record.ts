import { StrictObject } from '../common.ts'
import { ObjectRef, RecordId, type StepContract } from './fields.ts'

export const deleteRecord: StepContract = {
  group: 'Records',
  description: 'Permanently, with its values',
  keywords: 'remove',
  key: 'deleted',
  config: StrictObject({ object: ObjectRef, recordId: RecordId }),
  defaults: { object: '', recordId: '' },
  outputs: { id: 'id', deleted: 'any' },
}
