// The section `webhooks` of the API document: the request that the service sends to endpoints, for each event type.
import { eventSchemaName } from '../../../contract/event-bodies.ts'
import { EVENT_TYPES, type EventType } from '../../../contract/events.ts'
import { type OperationObject, type Parameter, type Response, refTo } from './document.ts'
import { jsonMedia } from './responses.ts'

/** @returns an example of a body that is sent */
export type EventExample = (type: EventType) => unknown

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

/** Keys: names in components/parameters. */
export const WEBHOOK_HEADERS: Readonly<Record<string, Parameter>> = {
  WebhookId: header(
    'webhook-id',
    'Id of the event: the same for every attempt, replay and endpoint. Store the id, and ignore events that you have already processed',
    '0198c0de-1000-7000-8000-000000000010',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was signed: Unix time in seconds. Reject requests whose time differs by more than five minutes from your clock',
    '1795168800',
  ),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>` under the secret of the endpoint. While a secret is rotated the header contains two signatures, separated by a space: one of them must match. Compare in constant time',
    'v1,6ky1ySm/eQHc/tjmxWAf2hsHHephXi4FLJTLCVa37QU=',
  ),
}

const RESPONSES: Readonly<Record<string, Response>> = {
  '2XX': { description: 'Delivered. The response must be complete within 15 seconds' },
  '410': { description: 'The endpoint is disabled' },
  default: {
    description:
      'A failure, including redirects: the delivery is retried for three days. `Retry-After` is respected',
  },
}

const VERIFICATION =
  'Verify the signature over the raw body before you parse it: the guide to webhooks has examples in three languages. The headers are also sent as `svix-id`, `svix-timestamp` and `svix-signature`.'

const operationOf = (type: EventType, exampleOf: EventExample): OperationObject => ({
  operationId: `on${eventSchemaName(type)}`,
  summary: type,
  description: `${EVENT_TYPES[type]}.\n\n${VERIFICATION}`,
  tags: ['Webhooks'],
  // The request is signed and has no API key.
  security: [],
  parameters: Object.keys(WEBHOOK_HEADERS).map((name) => refTo('parameters', name)),
  requestBody: {
    required: true,
    content: jsonMedia(refTo('schemas', eventSchemaName(type)), exampleOf(type)),
  },
  responses: RESPONSES,
})

/** Event types in the order of the specification. */
export const webhooksOf = (exampleOf: EventExample): Record<string, Record<string, OperationObject>> =>
  Object.fromEntries(
    (Object.keys(EVENT_TYPES) as EventType[]).map((type) => [type, { post: operationOf(type, exampleOf) }]),
  )
