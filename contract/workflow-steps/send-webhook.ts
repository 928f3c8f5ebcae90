import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { field, type StepContract } from './fields.ts'

export const sendWebhook: StepContract = {
  group: 'Send',
  description: 'An event to one of your endpoints',
  keywords: 'event hook',
  key: 'webhook',
  config: StrictObject({
    endpointId: Type.String({ minLength: 1, maxLength: 36, ...field('endpoint', 'Endpoint') }),
    data: Type.Optional(Type.Unknown(field('json', 'Data', 'Any JSON: it is `data` of the event'))),
  }),
  defaults: { endpointId: '' },
  outputs: { eventId: 'any' },
}
