// The specification's section "Webhooks", and the schemas of the management portal.
import { type Static, Type } from 'typebox'
import { SLUG_PATTERN } from './attribute-types.ts'
import {
  Clearable,
  closed,
  listOf,
  literals,
  Nullable,
  Pagination,
  StrictObject,
  Timestamp,
  Uuid,
} from './common.ts'
import { EVENT_TYPES, type EventType } from './events.ts'
import { formerNextCursor, pageParams } from './paging.ts'
import {
  DELIVERY_STATES,
  DISABLED_REASONS,
  ENDPOINT_HEADERS_MAX,
  ENDPOINT_RATE_MAX,
  ENDPOINT_URL_MAX,
  FAILURES,
  TRIGGERS,
  WAITING_COUNT_MAX,
  WEBHOOK_PROVIDERS,
} from './webhook-states.ts'

const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[]
export const EventTypeName = literals(EVENT_TYPE_NAMES)

/** Types of deliveries: events, and messages that a workflow step sends to one endpoint. */
export type DeliveryType = EventType | 'workflow.message'
const DeliveryTypeName = literals<DeliveryType>([...EVENT_TYPE_NAMES, 'workflow.message'])

const EventTypeEntry = StrictObject({ name: EventTypeName, description: Type.String() })

/** GET /webhooks */
export const Webhooks = StrictObject({
  portalUrl: Type.String({
    description:
      'Opens the management portal of the organization; valid for one hour. Keep it secret: no sign-in is required',
  }),
  eventTypes: Type.Array(EventTypeEntry),
})
export type Webhooks = Static<typeof Webhooks>

const EndpointHeader = StrictObject({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.String({ maxLength: 1000, description: 'Signing secret; encrypted at rest' }),
})

const endpointFields = {
  url: Type.String({ minLength: 1, maxLength: ENDPOINT_URL_MAX }),
  description: Type.String({ maxLength: 500 }),
  eventTypes: Nullable(
    Type.Array(EventTypeName, {
      minItems: 1,
      uniqueItems: true,
      description: 'null: every type',
    }),
  ),
  objectIds: Nullable(
    Type.Array(Uuid, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Only record events of these objects; other events are not affected. null: all objects',
    }),
  ),
  changedAttributes: Nullable(
    Type.Array(Type.String({ pattern: SLUG_PATTERN, examples: ['stage'] }), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'Slugs; record.updated is sent only if one of these changed. null: always',
    }),
  ),
  headers: Type.Array(EndpointHeader, { maxItems: ENDPOINT_HEADERS_MAX }),
  rateLimit: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: ENDPOINT_RATE_MAX,
      description: 'Requests per second; null: no limit',
    }),
  ),
}

/** An endpoint without filters receives all events. */
export const NewEndpoint = StrictObject({
  url: endpointFields.url,
  description: Type.Optional(Clearable(endpointFields.description)),
  eventTypes: Type.Optional(endpointFields.eventTypes),
  objectIds: Type.Optional(endpointFields.objectIds),
  changedAttributes: Type.Optional(endpointFields.changedAttributes),
  headers: Type.Optional(Clearable(endpointFields.headers)),
  rateLimit: Type.Optional(endpointFields.rateLimit),
})
export type NewEndpoint = Static<typeof NewEndpoint>

export const EndpointPatch = Type.Partial(
  Type.Object({
    ...endpointFields,
    description: Clearable(endpointFields.description),
    headers: Clearable(endpointFields.headers),
    isEnabled: Type.Boolean(),
  }),
  closed,
)
export type EndpointPatch = Static<typeof EndpointPatch>

export const EndpointId = Type.Object({ endpointId: Type.String() })

const HourOfAttempts = StrictObject({
  hour: Timestamp,
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  medianMs: Nullable(
    Type.Number({
      description: 'Upper bound of its bucket in LATENCY_STEPS_MS; ATTEMPT_TIMEOUT_MS for the last bucket',
    }),
  ),
})

/** The last 24 hours, oldest first, also hours without attempts. The last hour is incomplete. Without test sends. */
export const EndpointStats = StrictObject({
  hours: Type.Array(HourOfAttempts),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  successRate: Nullable(Type.Number({ minimum: 0, maximum: 1, description: 'null: no attempts' })),
  medianMs: Nullable(Type.Number()),
  p95Ms: Nullable(Type.Number()),
})
export type EndpointStats = Static<typeof EndpointStats>

/** `failingSince`: since this time, all attempts have failed. */
export const Endpoint = StrictObject({
  id: Uuid,
  ...endpointFields,
  eventTypes: Nullable(
    Type.Array(EventTypeName, {
      description: 'null: every type. Empty: none of the selected types exists any longer',
    }),
  ),
  objectIds: Nullable(
    Type.Array(Uuid, {
      description: 'Selected objects without deleted objects. Empty: all selected objects were deleted',
    }),
  ),
  areSecretsReadable: Type.Boolean({
    description:
      'false: the secret and headers were encrypted with a key that this installation no longer has. Nothing is sent until the secret is rotated and the headers are entered again (unreadable headers are not listed)',
  }),
  isEnabled: Type.Boolean(),
  disabledReason: Nullable(literals(DISABLED_REASONS)),
  disabledAt: Nullable(Timestamp),
  failingSince: Nullable(Timestamp),
  waiting: Type.Integer({
    maximum: WAITING_COUNT_MAX,
    description: `Pending deliveries; ${WAITING_COUNT_MAX} means that many or more`,
  }),
  stats: EndpointStats,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Endpoint = Static<typeof Endpoint>

export const EndpointList = listOf('endpoints', Endpoint)

/** `previousUntil`: until this time, the previous secret also signs. */
export const EndpointSecret = StrictObject({ secret: Type.String(), previousUntil: Nullable(Timestamp) })
export type EndpointSecret = Static<typeof EndpointSecret>

export const DeliveryId = Type.Object({ deliveryId: Type.String() })

const deliveryFields = {
  id: Type.String({ description: 'dlv_ and 43 characters, which identify the endpoint and the event' }),
  endpointId: Uuid,
  eventId: Uuid,
  eventType: DeliveryTypeName,
  state: literals(DELIVERY_STATES),
  trigger: literals(TRIGGERS),
  attempts: Type.Integer(),
  createdAt: Timestamp,
  lastAttemptAt: Nullable(Timestamp),
  lastStatus: Nullable(Type.Integer()),
  lastFailure: Nullable(literals(FAILURES)),
  lastDurationMs: Nullable(Type.Integer()),
  nextAttemptAt: Nullable(Timestamp),
  giveUpAt: Timestamp,
}

export const Delivery = StrictObject(deliveryFields)
export type Delivery = Static<typeof Delivery>

/** Newest event first. */
export const DeliveryList = StrictObject({
  deliveries: Type.Array(Delivery),
  pagination: Pagination,
  nextCursor: formerNextCursor,
})
export type DeliveryList = Static<typeof DeliveryList>

export const DeliveryQuery = StrictObject({
  state: Type.Optional(literals(DELIVERY_STATES, { description: 'Only deliveries in this state' })),
  type: Type.Optional(
    literals<DeliveryType>([...EVENT_TYPE_NAMES, 'workflow.message'], {
      description: 'Only this event type',
    }),
  ),
  from: Type.Optional(Type.String({ ...Timestamp, description: 'Events at or after this time' })),
  to: Type.Optional(Type.String({ ...Timestamp, description: 'Events before this time' })),
  ...pageParams(),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

const Headers = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]))

/** null: a step that did not happen, such as connecting when the connection was already open. */
const Timings = StrictObject({
  dnsMs: Nullable(Type.Number()),
  connectMs: Nullable(Type.Number()),
  tlsMs: Nullable(Type.Number()),
  firstByteMs: Nullable(Type.Number()),
  totalMs: Type.Number(),
})

export const DeliveryAttempt = StrictObject({
  attempt: Type.Integer({ minimum: 1 }),
  trigger: literals(TRIGGERS),
  startedAt: Timestamp,
  request: StrictObject({
    method: Type.Literal('POST'),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    ip: Nullable(Type.String()),
  }),
  response: Nullable(
    StrictObject({
      status: Type.Integer(),
      headers: Headers,
      body: Type.String({ description: 'As text; invalid UTF-8 is replaced' }),
      isTruncated: Type.Boolean(),
    }),
  ),
  failure: Nullable(literals(FAILURES)),
  message: Nullable(Type.String({ description: 'What went wrong, and what to do' })),
  timings: Timings,
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

/** Attempts newest first. */
export const DeliveryDetail = StrictObject({
  ...deliveryFields,
  endpointUrl: Type.String(),
  body: Type.String({ description: 'The exact text that is signed and sent' }),
  attemptList: Type.Array(DeliveryAttempt),
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

const period = { since: Timestamp, until: Type.Optional(Timestamp) }

/** failed: deliveries that failed or were cancelled. missing: matching events for which there was never a delivery. */
export const NewReplay = StrictObject({ kind: literals(['failed', 'missing']), ...period })
export type NewReplay = Static<typeof NewReplay>

export const Replay = StrictObject({
  id: Uuid,
  kind: literals(['failed', 'missing']),
  since: Timestamp,
  until: Timestamp,
  state: literals(['running', 'completed', 'cancelled']),
  replayed: Type.Integer({ description: 'Deliveries started so far' }),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
})
export type Replay = Static<typeof Replay>

/** Newest first. */
export const ReplayList = listOf('replays', Replay)
export type ReplayList = Static<typeof ReplayList>

export const ReplayQuery = StrictObject(pageParams())
export type ReplayQuery = Static<typeof ReplayQuery>

export const TestSend = StrictObject({ type: EventTypeName })

/** An event type in the catalogue. */
export const CatalogueEntry = StrictObject({
  name: EventTypeName,
  description: Type.String(),
  schema: Type.Unknown({ description: 'JSON Schema of the body' }),
  example: Type.String({ description: 'An example body, pretty-printed' }),
})
export type CatalogueEntry = Static<typeof CatalogueEntry>

export const Catalogue = StrictObject({ eventTypes: Type.Array(CatalogueEntry) })

/** The token of a portal link, which is exchanged for a session. */
export const PortalToken = StrictObject({ token: Type.String({ minLength: 1, maxLength: 200 }) })

export const PortalSession = StrictObject({
  session: Type.String({ description: 'Send it as Authorization: Bearer <session>' }),
  expiresAt: Timestamp,
})
export type PortalSession = Static<typeof PortalSession>

/** The organization as the portal shows it. */
export const Portal = StrictObject({
  organization: StrictObject({ name: Type.String(), slug: Type.String() }),
  provider: literals(WEBHOOK_PROVIDERS),
  objects: Type.Array(
    StrictObject({
      id: Uuid,
      pluralName: Type.String(),
      slug: Type.String(),
      attributes: Type.Array(StrictObject({ slug: Type.String(), name: Type.String() })),
    }),
    { description: 'Active objects, for the filters of an endpoint' },
  ),
  eventDays: Type.Integer({ description: 'How long events and deliveries are kept, in days' }),
  expiresAt: Nullable(Timestamp),
})
export type Portal = Static<typeof Portal>
