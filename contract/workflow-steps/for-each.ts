import { Type } from 'typebox'
import { LOOP_ITEMS_MAX } from '../workflow-states.ts'
import { closed, field, NAME, type StepContract, Steps } from './fields.ts'

export const forEach: StepContract = {
  config: Type.Object(
    {
      items: Type.Unknown({
        ...field(
          'template',
          'Items',
          `A list of at most ${LOOP_ITEMS_MAX}, such as {{steps.contacts.records}}`,
        ),
      }),
      as: Type.String({
        pattern: NAME,
        title: 'Name of one item',
        description: 'What the steps inside call it, such as person',
      }),
      steps: Steps('For each'),
    },
    closed,
  ),
  outputs: { count: 'any' },
}
