import { Type } from 'typebox'
import { StrictObject } from '../common.ts'
import { HTTP_TIMEOUT_MAX_MS, HTTP_TIMEOUT_MS } from '../workflow-states.ts'
import { field, type StepContract } from './fields.ts'

export const httpRequest: StepContract = {
  group: 'Send',
  description: 'Call any service, with secrets',
  keywords: 'api call fetch webhook url',
  key: 'request',
  config: StrictObject({
    method: Type.Optional(
      Type.String({ enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST', title: 'Method' }),
    ),
    url: Type.String({ minLength: 1, maxLength: 2048, ...field('template', 'URL') }),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 4000 }), {
        ...field('pairs', 'Headers', 'Insert a secret where a token or password belongs'),
        maxProperties: 30,
      }),
    ),
    body: Type.Optional(Type.Unknown(field('json', 'Body', 'Sent as JSON; a text is sent as it is'))),
    timeoutMs: Type.Optional(
      Type.Integer({
        minimum: 1000,
        maximum: HTTP_TIMEOUT_MAX_MS,
        default: HTTP_TIMEOUT_MS,
        title: 'Time-out',
        description: 'Milliseconds',
      }),
    ),
  }),
  defaults: { method: 'POST', url: '' },
  outputs: { status: 'any', headers: 'any', body: 'any' },
  readsSecrets: true,
}
