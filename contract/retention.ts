// How long records of an object are kept in which nothing happens.
import { type Static, Type } from 'typebox'
import { Nullable, StrictObject } from './common.ts'
import { RETENTION_DAYS_MAX } from './limits.ts'
import type { ApiRoutes } from './route.ts'

const Days = Type.Integer({ minimum: 1, maximum: RETENTION_DAYS_MAX, examples: [730] })

export const Retention = StrictObject(
  {
    days: Nullable(Days, { description: 'null: records are kept until someone deletes them' }),
    due: Nullable(Type.Integer({ minimum: 0 }), {
      description:
        'How many records the next run would move to the trash; null: none is configured, or counting took too long',
    }),
  },
  {
    description:
      'Records are moved to the trash when for so many days neither they nor a record that refers to them has changed, no activity with them has changed or taken place, no comment or file was added, and no reminder is to come',
  },
)
export type Retention = Static<typeof Retention>

export const RetentionChange = StrictObject({
  days: Nullable(Days, { description: 'null: records are kept until someone deletes them' }),
})
export type RetentionChange = Static<typeof RetentionChange>

const RetentionQuery = StrictObject({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: RETENTION_DAYS_MAX,
      description: 'Count what would be due with this number of days, which is not saved',
    }),
  ),
})

/** Their names in the API document. */
export const retentionSchemas = { Retention, RetentionChange }

export const retentionRoutes = {
  getRetention: {
    at: 'GET /objects/:objectId/retention',
    scope: 'objects:read',
    summary: 'Get how long records are kept',
    description: 'With the number of records that are due.',
    query: RetentionQuery,
    response: { 200: Retention },
    example: { response: { days: 730, due: 12 } },
  },
  setRetention: {
    at: 'PUT /objects/:objectId/retention',
    scope: 'objects:write',
    readScope: 'objects:read',
    summary: 'Set how long records are kept',
    description:
      'Of standard objects too. Records that are due are moved to the trash by the hour, each with a `record.deleted` event whose actor is null; the organization’s `trashDays` later they are deleted for good.',
    body: RetentionChange,
    response: { 200: Retention },
    example: { body: { days: 730 }, response: { days: 730, due: 12 } },
  },
} satisfies ApiRoutes
