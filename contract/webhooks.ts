// The specification's section "Webhooks": the API's one route, and what the management portal is made of.
import { type Static, Type } from 'typebox'
import { SLUG_PATTERN } from './attribute-types.ts'
import { Timestamp, Uuid } from './common.ts'
import { EVENT_TYPES, type EventType } from './events.ts'
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

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

const literals = <const Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>(Type.Union(values.map((value) => Type.Literal(value))))

const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[]
export const EventTypeName = literals(EVENT_TYPE_NAMES)

/** What is delivered: events, and what a step of a workflow sends to one endpoint. */
export type DeliveryType = EventType | 'workflow.message'
const DeliveryTypeName = literals<DeliveryType>([...EVENT_TYPE_NAMES, 'workflow.message'])

const closed = { additionalProperties: false } as const

const EventTypeEntry = Type.Object({ name: EventTypeName, description: Type.String() }, closed)

/** GET /webhooks */
export const Webhooks = Type.Object(
  {
    portalUrl: Type.String({
      description:
        'Opens the management portal of the organization; valid for one hour. Keep it secret: no sign-in is required',
    }),
    eventTypes: Type.Array(EventTypeEntry),
  },
  closed,
)
export type Webhooks = Static<typeof Webhooks>

const EndpointHeader = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    value: Type.String({ maxLength: 1000, description: 'Signing secret; encrypted at rest' }),
  },
  closed,
)

const endpointFields = {
  url: Type.String({ minLength: 1, maxLength: ENDPOINT_URL_MAX }),
  description: Type.String({ maxLength: 500 }),
  eventTypes: nullable(
    Type.Array(EventTypeName, { minItems: 1, uniqueItems: true, description: 'null: every type' }),
  ),
  objectIds: nullable(
    Type.Array(Uuid, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Only record events of these objects; other events are not affected. null: all objects',
    }),
  ),
  changedAttributes: nullable(
    Type.Array(Type.String({ pattern: SLUG_PATTERN, examples: ['stage'] }), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'Slugs; record.updated is sent only if one of these changed. null: always',
    }),
  ),
  headers: Type.Array(EndpointHeader, { maxItems: ENDPOINT_HEADERS_MAX }),
  rateLimit: nullable(
    Type.Integer({
      minimum: 1,
      maximum: ENDPOINT_RATE_MAX,
      description: 'Requests per second; null: no limit',
    }),
  ),
}

/** Without a filter, an endpoint gets everything. */
export const NewEndpoint = Type.Object(
  {
    url: endpointFields.url,
    description: Type.Optional(endpointFields.description),
    eventTypes: Type.Optional(endpointFields.eventTypes),
    objectIds: Type.Optional(endpointFields.objectIds),
    changedAttributes: Type.Optional(endpointFields.changedAttributes),
    headers: Type.Optional(endpointFields.headers),
    rateLimit: Type.Optional(endpointFields.rateLimit),
  },
  closed,
)
export type NewEndpoint = Static<typeof NewEndpoint>

export const EndpointPatch = Type.Partial(
  Type.Object({ ...endpointFields, isEnabled: Type.Boolean() }),
  closed,
)
export type EndpointPatch = Static<typeof EndpointPatch>

export const EndpointId = Type.Object({ endpointId: Type.String() })

/** One hour of attempts. */
const HourOfAttempts = Type.Object(
  {
    hour: Timestamp,
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    medianMs: nullable(
      Type.Number({
        description: 'Upper bound of its bucket in LATENCY_STEPS_MS; ATTEMPT_TIMEOUT_MS for the last bucket',
      }),
    ),
  },
  closed,
)

/** The last 24 hours, oldest first, the last still running; hours without an attempt are there too. No test sends. */
export const EndpointStats = Type.Object(
  {
    hours: Type.Array(HourOfAttempts),
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    successRate: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'null: no attempt' })),
    medianMs: nullable(Type.Number()),
    p95Ms: nullable(Type.Number()),
  },
  closed,
)
export type EndpointStats = Static<typeof EndpointStats>

/** active; failing: its last attempts all failed; disabled. */
export const Endpoint = Type.Object(
  {
    id: Uuid,
    ...endpointFields,
    objectIds: nullable(
      Type.Array(Uuid, {
        description: 'Without deleted objects. Empty: all of them were deleted',
      }),
    ),
    areSecretsReadable: Type.Boolean({
      description:
        'false: the secret and headers were encrypted with a key that this installation no longer has. Nothing is sent until the secret is rotated and the headers are entered again (unreadable headers are not listed)',
    }),
    isEnabled: Type.Boolean(),
    disabledReason: nullable(literals(DISABLED_REASONS)),
    disabledAt: nullable(Timestamp),
    failingSince: nullable(Timestamp),
    waiting: Type.Integer({
      maximum: WAITING_COUNT_MAX,
      description: `Pending deliveries; ${WAITING_COUNT_MAX} means that many or more`,
    }),
    stats: EndpointStats,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  closed,
)
export type Endpoint = Static<typeof Endpoint>

export const EndpointList = Type.Object({ endpoints: Type.Array(Endpoint) }, closed)

/** `previousUntil`: until when the secret before it signs too. */
export const EndpointSecret = Type.Object(
  { secret: Type.String(), previousUntil: nullable(Timestamp) },
  closed,
)
export type EndpointSecret = Static<typeof EndpointSecret>

export const DeliveryId = Type.Object({ deliveryId: Type.String() })

const deliveryFields = {
  id: Type.String({ description: 'dlv_ and 43 characters: the endpoint and the event' }),
  endpointId: Uuid,
  eventId: Uuid,
  eventType: DeliveryTypeName,
  state: literals(DELIVERY_STATES),
  trigger: literals(TRIGGERS),
  attempts: Type.Integer(),
  createdAt: Timestamp,
  lastAttemptAt: nullable(Timestamp),
  lastStatus: nullable(Type.Integer()),
  lastFailure: nullable(literals(FAILURES)),
  lastDurationMs: nullable(Type.Integer()),
  nextAttemptAt: nullable(Timestamp),
  giveUpAt: Timestamp,
}

export const Delivery = Type.Object(deliveryFields, closed)
export type Delivery = Static<typeof Delivery>

/** Newest event first. */
export const DeliveryList = Type.Object(
  { deliveries: Type.Array(Delivery), nextCursor: Type.Optional(Type.String()) },
  closed,
)
export type DeliveryList = Static<typeof DeliveryList>

export const DeliveryQuery = Type.Object(
  {
    state: Type.Optional(literals(DELIVERY_STATES)),
    type: Type.Optional(DeliveryTypeName),
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)
export type DeliveryQuery = Static<typeof DeliveryQuery>

const Headers = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]))

/** null: not taken, such as a connection that was open already. */
const Timings = Type.Object(
  {
    dnsMs: nullable(Type.Number()),
    connectMs: nullable(Type.Number()),
    tlsMs: nullable(Type.Number()),
    firstByteMs: nullable(Type.Number()),
    totalMs: Type.Number(),
  },
  closed,
)

export const DeliveryAttempt = Type.Object(
  {
    attempt: Type.Integer({ minimum: 1 }),
    trigger: literals(TRIGGERS),
    startedAt: Timestamp,
    request: Type.Object(
      {
        method: Type.Literal('POST'),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        ip: nullable(Type.String()),
      },
      closed,
    ),
    response: nullable(
      Type.Object(
        {
          status: Type.Integer(),
          headers: Headers,
          body: Type.String({ description: 'As text; invalid UTF-8 is replaced' }),
          isTruncated: Type.Boolean(),
        },
        closed,
      ),
    ),
    failure: nullable(literals(FAILURES)),
    message: nullable(Type.String({ description: 'What went wrong, and what to do' })),
    timings: Timings,
  },
  closed,
)
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

/** Attempts newest first. */
export const DeliveryDetail = Type.Object(
  {
    ...deliveryFields,
    endpointUrl: Type.String(),
    body: Type.String({ description: 'The exact text that is signed and sent' }),
    attemptList: Type.Array(DeliveryAttempt),
  },
  closed,
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

const period = { since: Timestamp, until: Type.Optional(Timestamp) }

/** failed: deliveries that failed or were cancelled; missing: events the endpoint would want that it never got a delivery of. */
export const NewReplay = Type.Object({ kind: literals(['failed', 'missing']), ...period }, closed)
export type NewReplay = Static<typeof NewReplay>

export const Replay = Type.Object(
  {
    id: Uuid,
    kind: literals(['failed', 'missing']),
    since: Timestamp,
    until: Timestamp,
    state: literals(['running', 'completed', 'cancelled']),
    replayed: Type.Integer({ description: 'Deliveries started so far' }),
    createdAt: Timestamp,
    finishedAt: nullable(Timestamp),
  },
  closed,
)
export type Replay = Static<typeof Replay>

/** Newest first. */
export const ReplayList = Type.Object({ replays: Type.Array(Replay) }, closed)

export const TestSend = Type.Object({ type: EventTypeName }, closed)

/** What the catalogue knows of a type. */
export const CatalogueEntry = Type.Object(
  {
    name: EventTypeName,
    description: Type.String(),
    schema: Type.Unknown({ description: 'JSON Schema of the body' }),
    example: Type.String({ description: 'An example body, pretty-printed' }),
  },
  closed,
)
export type CatalogueEntry = Static<typeof CatalogueEntry>

export const Catalogue = Type.Object({ eventTypes: Type.Array(CatalogueEntry) }, closed)

/** Exchanges the token of a portal link. */
export const PortalToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }, closed)

export const PortalSession = Type.Object(
  {
    session: Type.String({ description: 'Send it as Authorization: Bearer <session>' }),
    expiresAt: Timestamp,
  },
  closed,
)
export type PortalSession = Static<typeof PortalSession>

/** What the portal shows of the organization it is for. */
export const Portal = Type.Object(
  {
    organization: Type.Object({ name: Type.String(), slug: Type.String() }, closed),
    provider: literals(WEBHOOK_PROVIDERS),
    objects: Type.Array(
      Type.Object(
        {
          id: Uuid,
          pluralName: Type.String(),
          slug: Type.String(),
          attributes: Type.Array(Type.Object({ slug: Type.String(), name: Type.String() }, closed)),
        },
        closed,
      ),
      { description: 'Active objects, for the filters of an endpoint' },
    ),
    eventDays: Type.Integer({ description: 'How long events and deliveries are kept, in days' }),
    expiresAt: nullable(Timestamp),
  },
  closed,
)
export type Portal = Static<typeof Portal>
