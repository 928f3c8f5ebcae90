import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { LOOP_ITEMS_MAX } from '../workflow-states.ts'
import { field, NAME, type StepContract, Steps } from './fields.ts'

export const forEach: StepContract = {
  group: 'Flow',
  description: 'Repeat steps for each item of a list',
  keywords: 'loop repeat iterate',
  key: 'each',
  config: StrictObject({
    items: Type.Unknown({
      ...field(
        'template',
        'Items',
        `A list of at most ${LOOP_ITEMS_MAX}, such as the records that a step found`,
      ),
    }),
    as: Type.String({
      pattern: NAME,
      title: 'Name of one item',
      description: 'Its name in the steps inside, such as person',
    }),
    steps: Steps('For each'),
  }),
  defaults: { items: '', as: 'item', steps: [] },
  outputs: { count: 'any' },
  isDeciding: true,
}
