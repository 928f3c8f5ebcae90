import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { BRANCHES_MAX } from '../workflow-states.ts'
import { NAME, type StepContract, Steps, When } from './fields.ts'

export const branch: StepContract = {
  group: 'Flow',
  description: 'Different steps for each case',
  keywords: 'if else split switch',
  key: 'branch',
  config: StrictObject({
    branches: Type.Array(
      StrictObject({
        name: Type.String({
          pattern: NAME,
          title: 'Name',
          description: 'Letters, digits and _; part of the path of its steps. Not "else"',
        }),
        when: When('If'),
        steps: Steps('Then'),
      }),
      {
        minItems: 1,
        maxItems: BRANCHES_MAX,
        title: 'Branches',
        description: 'The first branch whose condition is true runs',
      },
    ),
    else: Type.Optional(Steps('Otherwise')),
  }),
  defaults: {
    branches: [{ name: 'yes', when: { left: '', operator: 'equals', right: '' }, steps: [] }],
    else: [],
  },
  outputs: { branch: 'any' },
  isDeciding: true,
}
