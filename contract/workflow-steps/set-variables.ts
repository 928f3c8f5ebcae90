import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { field, NAME, type StepContract } from './fields.ts'

export const setVariables: StepContract = {
  group: 'Flow',
  description: 'Keep values for later steps',
  keywords: 'variable remember',
  key: 'variables',
  config: StrictObject({
    variables: Type.Record(Type.String({ pattern: NAME }), Type.Unknown(), {
      ...field('pairs', 'Variables', 'Read later as {{vars.name}}'),
      minProperties: 1,
      maxProperties: 50,
    }),
  }),
  defaults: { variables: { name: '' } },
  outputs: {},
}
