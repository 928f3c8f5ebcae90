// Event bodies of deliveries and of GET /events (decisions section 6).
import { type Static, Type } from 'typebox'
import { RecordRef } from './activities.ts'
import { EventVersion, literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { EVENT_TYPES, type EventType } from './events.ts'
import { exampleId, exampleTimes } from './example-values.ts'
import { exampleRecord } from './records.ts'
import type { ApiRoutes } from './route.ts'

/** Only the id, because all receivers get the same body, also receivers without `members:read`. */
export const EventActor = StrictObject(
  {
    type: literals(['member', 'apiKey', 'workflow']),
    id: Type.String({ ...Uuid, description: 'Id of the user (user.id of the member), API key or workflow' }),
  },
  { description: 'The user, API key or workflow that made a change' },
)
export type EventActor = Static<typeof EventActor>

const envelope = (type: EventType) => ({
  id: Type.String({
    ...Uuid,
    description: 'The same for every attempt, replay and endpoint: use it to deduplicate',
  }),
  type: Type.Literal(type, { description: EVENT_TYPES[type] }),
  timestamp: Timestamp,
  organizationId: Uuid,
  actor: Nullable(EventActor, {
    description:
      '(+) Who made the change: a member in the dashboard, an API key, or a workflow. A program that writes and reads can skip the events of its API key. null: the service itself, or unknown',
  }),
})

const test = {
  isTest: Type.Optional(Type.Literal(true, { description: 'Only in test events' })),
  test: Type.Optional(Type.Literal(true, { description: 'Deprecated: use isTest' })),
}

const erasure = {
  isErased: Type.Optional(
    Type.Literal(true, {
      description:
        'The record or activity was erased: data, changes and title are empty in this event and whenever it is read again. Erase your copy too',
    }),
  ),
  erased: Type.Optional(Type.Literal(true, { description: 'Deprecated: use isErased' })),
}

const Change = StrictObject({ from: Type.Unknown(), to: Type.Unknown() })

/** `data`: the whole record after the change, or before a deletion. Only updates have `changes`, by slug. */
const recordBody = (type: EventType) =>
  StrictObject({
    ...envelope(type),
    recordId: Uuid,
    objectId: Nullable(Uuid, {
      description: 'null: the object was deleted before the service stored ids of deleted objects',
    }),
    version: EventVersion,
    data: Type.Record(Type.String(), Type.Unknown()),
    ...(type === 'record.updated' && { changes: Type.Record(Type.String(), Change) }),
    ...(type === 'record.updated' && {
      mergedIds: Type.Optional(
        Type.Array(Uuid, {
          description: 'Only for a merge: ids of the records that were merged into this record',
        }),
      ),
    }),
    ...erasure,
    ...test,
  })

/** `data`: the whole activity after the change, or before a deletion. */
const activityBody = (type: EventType) =>
  StrictObject({
    ...envelope(type),
    activityId: Uuid,
    version: EventVersion,
    title: Type.String(),
    linkedRecords: Type.Array(RecordRef),
    data: Type.Object({}, { additionalProperties: true }),
    ...erasure,
    ...test,
  })

const workflowBody = <Status extends string>(type: EventType, status: Status) =>
  StrictObject({
    ...envelope(type),
    workflowId: Uuid,
    workflowName: Type.String(),
    runId: Uuid,
    status: Type.Literal(status),
    triggerEvent: Type.String(),
    error: Nullable(Type.String()),
    startedAt: Timestamp,
    completedAt: Timestamp,
    ...test,
  })

export const EVENT_BODIES = {
  'record.created': recordBody('record.created'),
  'record.updated': recordBody('record.updated'),
  'record.deleted': recordBody('record.deleted'),
  'activity.created': activityBody('activity.created'),
  'activity.updated': activityBody('activity.updated'),
  'activity.deleted': activityBody('activity.deleted'),
  'workflow.completed': workflowBody('workflow.completed', 'completed'),
  'workflow.failed': workflowBody('workflow.failed', 'failed'),
} as const

const EventBody = Type.Union(Object.values(EVENT_BODIES), {
  description: 'An event; its `type` determines its fields',
})

/** GET /events: bodies as in deliveries. The order guarantees that events of late commits are not skipped. */
export const EventList = StrictObject({
  events: Type.Array(EventBody),
  nextAfter: Type.String({
    description:
      'Position at the end of the page, also of an empty page. Store it, and send it as `after` with the same `types` to get the next events',
    examples: [exampleId(10)],
  }),
  caller: StrictObject(EventActor.properties, {
    description: 'The caller: events with this `actor` are your own changes',
  }),
})
export type EventList = Static<typeof EventList>

export const FeedQuery = StrictObject({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        '`nextAfter` of the last page, or the id of the last event you have read: later events are returned. `latest`: an empty page whose `nextAfter` is the current end of the list. Without `after` and `since`, the list starts at the oldest event',
      examples: ['latest', exampleId(10)],
    }),
  ),
  since: Type.Optional(
    Type.String({
      ...Timestamp,
      description:
        'Instead of `after`: the list starts at the first event from this time or later. If events from this time are no longer kept, the request is rejected with the oldest time that can be read. A future time means now',
    }),
  ),
  types: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Event types, separated by commas; defaults to all types',
      examples: ['record.created,record.updated'],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Maximum number of events' }),
  ),
})
export type FeedQuery = Static<typeof FeedQuery>

/** record.created → RecordCreatedEvent */
export const eventSchemaName = (type: EventType): string =>
  `${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

/** Schemas by their names in the API document. */
export const eventSchemas = {
  EventActor,
  EventList,
  EventBody,
  ...Object.fromEntries(
    Object.entries(EVENT_BODIES).map(([type, body]) => [eventSchemaName(type as EventType), body]),
  ),
}

export const eventRoutes = {
  listEvents: {
    at: 'GET /events',
    scope: 'webhooks:manage',
    summary: 'List events',
    description:
      'The events that webhooks deliver, oldest first. Repeat the request with `nextAfter` as `after`: no event is skipped. An empty page means that there are no newer events yet. A page of large events can have fewer events than `limit`. An event appears as soon as all changes that began before it have ended, usually immediately. Events are kept for 30 days by default.',
    query: FeedQuery,
    response: { 200: EventList },
    example: {
      response: {
        events: [
          {
            id: exampleId(10),
            type: 'record.updated',
            timestamp: exampleTimes.updatedAt,
            organizationId: exampleId(11),
            actor: { type: 'apiKey', id: exampleId(12) },
            recordId: exampleRecord.id,
            objectId: exampleRecord.objectId,
            version: 2,
            data: exampleRecord.data,
            changes: { phone: { from: null, to: exampleRecord.data.phone } },
          },
        ],
        nextAfter: exampleId(10),
        caller: { type: 'apiKey', id: exampleId(12) },
      },
    },
  },
} satisfies ApiRoutes
