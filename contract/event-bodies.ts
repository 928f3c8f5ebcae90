// What an event's body looks like, as it is delivered and as GET /events answers it (decisions section 6).
import { type Static, Type } from 'typebox'
import { RecordRef } from './activities.ts'
import { EventVersion, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { EVENT_TYPES, type EventType } from './events.ts'
import { exampleId, exampleTimes } from './example-values.ts'
import { exampleRecord } from './records.ts'
import type { ApiRoutes } from './route.ts'

const envelope = (type: EventType) => ({
  id: Type.String({
    ...Uuid,
    description: 'The same for every attempt, replay and endpoint: use it to deduplicate',
  }),
  type: Type.Literal(type, { description: EVENT_TYPES[type] }),
  timestamp: Timestamp,
  organizationId: Uuid,
})

const test = {
  test: Type.Optional(Type.Literal(true, { description: 'Only in test events' })),
}

const erasure = {
  erased: Type.Optional(
    Type.Literal(true, {
      description:
        'The record or activity was erased: data, changes and title are empty, now and for every later reader. Erase your copy too',
    }),
  ),
}

const Change = StrictObject({ from: Type.Unknown(), to: Type.Unknown() })

/** `data`: the whole record after the change; its last state on delete. Only updates carry `changes`, by slug. */
const recordBody = (type: EventType) =>
  StrictObject({
    ...envelope(type),
    recordId: Uuid,
    objectId: Nullable(Uuid, {
      description: 'null: the object was removed before ids of deleted objects were kept',
    }),
    version: EventVersion,
    data: Type.Record(Type.String(), Type.Unknown()),
    ...(type === 'record.updated' && { changes: Type.Record(Type.String(), Change) }),
    ...(type === 'record.updated' && {
      mergedIds: Type.Optional(
        Type.Array(Uuid, { description: 'Only of a merge: the records that were merged into it' }),
      ),
    }),
    ...erasure,
    ...test,
  })

/** `data`: the whole activity after the change; its last state on delete. */
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

const workflowBody = (type: EventType) =>
  StrictObject({
    ...envelope(type),
    workflowId: Uuid,
    workflowName: Type.String(),
    runId: Uuid,
    status: Type.String(),
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
  'workflow.completed': workflowBody('workflow.completed'),
  'workflow.failed': workflowBody('workflow.failed'),
} as const

/** GET /events: bodies as they are delivered, in an order in which nothing that commits late is skipped. */
export const EventList = StrictObject({ events: Type.Array(Type.Union(Object.values(EVENT_BODIES))) })
export type EventList = Static<typeof EventList>

export const FeedQuery = StrictObject({
  after: Type.Optional(
    Type.String({
      ...Uuid,
      description:
        'Id of the last event you have read: the events after it are returned. Without it, the list starts at the oldest event',
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

/** Their names in the API document. */
export const eventSchemas = { EventList }

export const eventRoutes = {
  listEvents: {
    at: 'GET /events',
    scope: 'webhooks:manage',
    summary: 'List events',
    description:
      'The events that webhooks deliver, oldest first. To catch up, repeat the request with the id of the last event as `after` until the list is empty; no event is skipped. An event appears as soon as all changes that began before it have ended, usually at once. Events are kept for 30 days by default.',
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
            recordId: exampleRecord.id,
            objectId: exampleRecord.objectId,
            version: 2,
            data: exampleRecord.data,
            changes: { phone: { from: null, to: exampleRecord.data.phone } },
          },
        ],
      },
    },
  },
} satisfies ApiRoutes
