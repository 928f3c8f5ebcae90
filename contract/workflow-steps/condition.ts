import { Type } from 'typebox'
import { closed, type StepContract, When } from './fields.ts'

export const condition: StepContract = {
  group: 'Flow',
  description: 'End here unless a condition holds',
  keywords: 'if filter only gate',
  key: 'check',
  config: Type.Object({ when: When('Go on only if') }, closed),
  defaults: { when: { left: '', operator: 'equals', right: '' } },
  outputs: { met: 'any' },
  isDeciding: true,
}
