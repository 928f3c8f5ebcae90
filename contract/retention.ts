// Retention: how long unchanged records of an object are kept.
import { type Static, Type } from 'typebox'
import { Nullable, StrictObject } from './common.ts'
import { RETENTION_DAYS_MAX } from './limits.ts'
import type { ApiRoutes } from './route.ts'

const Days = Type.Integer({ minimum: 1, maximum: RETENTION_DAYS_MAX, examples: [730] })

export const Retention = StrictObject(
  {
    days: Nullable(Days, { description: 'null: records are kept until a user deletes them' }),
    due: Nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Number of records that the next run would move to the trash; null: no retention is configured, or counting took too long',
    }),
  },
  {
    description:
      'A record is moved to the trash if for this number of days neither the record nor a record that refers to it has changed, no activity of the record has changed or taken place, no comment or file was added, and no future reminder exists',
  },
)
export type Retention = Static<typeof Retention>

export const RetentionChange = StrictObject({
  days: Nullable(Days, { description: 'null: records are kept until a user deletes them' }),
})
export type RetentionChange = Static<typeof RetentionChange>

const RetentionQuery = StrictObject({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: RETENTION_DAYS_MAX,
      description: 'Counts due records for this number of days, without saving it',
    }),
  ),
})

/** Schemas by their names in the API document. */
export const retentionSchemas = { Retention, RetentionChange }

export const retentionRoutes = {
  getRetention: {
    at: 'GET /objects/:objectId/retention',
    scope: 'objects:read',
    summary: 'Get the retention of records',
    description: 'Includes the number of records that are due.',
    query: RetentionQuery,
    response: { 200: Retention },
    example: { response: { days: 730, due: 12 } },
  },
  setRetention: {
    at: 'PUT /objects/:objectId/retention',
    scope: 'objects:write',
    readScope: 'objects:read',
    summary: 'Set the retention of records',
    description:
      'Works for standard and custom objects. Every hour, records that are due are moved to the trash, each with a `record.deleted` event whose actor is null. After the organization’s `trashDays` they are deleted permanently.',
    body: RetentionChange,
    response: { 200: Retention },
    example: { body: { days: 730 }, response: { days: 730, due: 12 } },
  },
} satisfies ApiRoutes
