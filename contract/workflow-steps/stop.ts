import { Type } from 'typebox'
import { closed, type StepContract, Template } from './fields.ts'

export const stop: StepContract = {
  config: Type.Object({ message: Type.Optional(Template('Why')) }, closed),
  outputs: { message: 'any' },
}
