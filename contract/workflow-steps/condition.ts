import { StrictObject } from '../common.ts'
import { type StepContract, When } from './fields.ts'

export const condition: StepContract = {
  group: 'Flow',
  description: 'End the run unless a condition is true',
  keywords: 'if filter only gate',
  key: 'check',
  config: StrictObject({ when: When('Continue only if') }),
  defaults: { when: { left: '', operator: 'equals', right: '' } },
  outputs: { met: 'any' },
  isDeciding: true,
}
