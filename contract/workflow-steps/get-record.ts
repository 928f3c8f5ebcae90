import { StrictObject } from '../common.ts'
import { ObjectRef, RecordId, type StepContract } from './fields.ts'

export const getRecord: StepContract = {
  group: 'Records',
  description: 'One record, by its id',
  keywords: '',
  key: 'record',
  config: StrictObject({ object: ObjectRef, recordId: RecordId }),
  defaults: { object: '', recordId: '' },
  outputs: { found: 'any', record: 'record' },
}
