import { Type } from 'typebox'
import { closed, type StepContract, When } from './fields.ts'

export const condition: StepContract = {
  config: Type.Object({ when: When('Go on only if') }, closed),
  outputs: { met: 'any' },
}
