import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { type StepContract, Template } from './fields.ts'

export const stop: StepContract = {
  group: 'Flow',
  description: 'End the run as completed',
  keywords: 'end',
  key: 'stop',
  config: StrictObject({ message: Type.Optional(Template('Reason')) }),
  defaults: {},
  outputs: { message: 'any' },
  isDeciding: true,
}
