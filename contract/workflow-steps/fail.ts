import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { field, type StepContract } from './fields.ts'

export const fail: StepContract = {
  group: 'Flow',
  description: 'End the run as failed, with a reason',
  keywords: 'error',
  key: 'fail',
  config: StrictObject({
    message: Type.String({ minLength: 1, maxLength: 2000, ...field('template', 'Reason') }),
  }),
  defaults: { message: '' },
  outputs: {},
  isDeciding: true,
}
