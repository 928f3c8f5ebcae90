// The operations of Svix's published OpenAPI (github.com/svix/svix-webhooks, openapi.json; API 1.96) that the service
// uses. It leaves out fields that the service does not send, so that a misspelled field is an error.
import { type TSchema, Type } from 'typebox'

const closed = { additionalProperties: false } as const

const Name = Type.String({ minLength: 1, maxLength: 256, pattern: '^[a-zA-Z0-9\\-_.]+$' })
const Schemas = Type.Record(Type.String(), Type.Object({}, { additionalProperties: true }))

export interface Operation {
  /** The operation id in the document. */
  id: string
  method: string
  /** Parts in braces are `Name`s. */
  path: string
  query: TSchema
  /** undefined: no body. */
  body?: TSchema
  takesIdempotencyKey: boolean
}

const none = Type.Object({}, closed)

export const OPERATIONS: readonly Operation[] = [
  {
    id: 'v1.application.create',
    method: 'POST',
    path: '/api/v1/app',
    query: Type.Object({ get_if_exists: Type.Optional(Type.Enum(['true', 'false'])) }, closed),
    body: Type.Object({ name: Type.String({ minLength: 1 }), uid: Type.Optional(Name) }, closed),
    takesIdempotencyKey: true,
  },
  {
    id: 'v1.message.create',
    method: 'POST',
    path: '/api/v1/app/{app_id}/msg',
    query: Type.Object({ with_content: Type.Optional(Type.Enum(['true', 'false'])) }, closed),
    body: Type.Object(
      {
        eventType: Name,
        eventId: Type.Optional(Name),
        payload: Type.Object({}, { additionalProperties: true }),
      },
      closed,
    ),
    takesIdempotencyKey: true,
  },
  {
    id: 'v1.authentication.app-portal-access',
    method: 'POST',
    path: '/api/v1/auth/app-portal-access/{app_id}',
    query: none,
    body: Type.Object({ expiry: Type.Optional(Type.Integer({ minimum: 3600, maximum: 604_800 })) }, closed),
    takesIdempotencyKey: true,
  },
  {
    id: 'v1.event-type.list',
    method: 'GET',
    path: '/api/v1/event-type',
    query: Type.Object(
      { limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|1\\d\\d|2[0-4]\\d|250)$' })) },
      closed,
    ),
    takesIdempotencyKey: false,
  },
  {
    id: 'v1.event-type.create',
    method: 'POST',
    path: '/api/v1/event-type',
    query: none,
    body: Type.Object({ name: Name, description: Type.String(), schemas: Type.Optional(Schemas) }, closed),
    takesIdempotencyKey: true,
  },
  {
    id: 'v1.event-type.patch',
    method: 'PATCH',
    path: '/api/v1/event-type/{event_type_name}',
    query: none,
    body: Type.Object({ description: Type.Optional(Type.String()), schemas: Type.Optional(Schemas) }, closed),
    takesIdempotencyKey: false,
  },
]

export const PathName = Name
