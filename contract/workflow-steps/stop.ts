import { Type } from 'typebox'
import { closed, type StepContract, Template } from './fields.ts'

export const stop: StepContract = {
  group: 'Flow',
  description: 'End the run as completed',
  keywords: 'end',
  key: 'stop',
  config: Type.Object({ message: Type.Optional(Template('Reason')) }, closed),
  defaults: {},
  outputs: { message: 'any' },
  isDeciding: true,
}
