import { Type } from 'typebox'
import { closed, field, NAME, type StepContract } from './fields.ts'

export const setVariables: StepContract = {
  group: 'Flow',
  description: 'Keep values for later steps',
  keywords: 'variable remember',
  key: 'variables',
  config: Type.Object(
    {
      variables: Type.Record(Type.String({ pattern: NAME }), Type.Unknown(), {
        ...field('pairs', 'Variables', 'Read later as {{vars.name}}'),
        minProperties: 1,
        maxProperties: 50,
      }),
    },
    closed,
  ),
  defaults: { variables: { name: '' } },
  outputs: {},
}
