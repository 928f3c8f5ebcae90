// The first page after sign-in: recent changes, what happened this week, what comes next.
import { type Static, Type } from 'typebox'
import { Activity } from './activities.ts'
import { Timestamp, Uuid } from './common.ts'
import { Actor } from './history.ts'
import { RecordName } from './record-names.ts'
import type { DashboardRoutes } from './route.ts'

const RecentRecord = Type.Object(
  {
    ...RecordName.properties,
    at: Timestamp,
    type: Type.Union([Type.Literal('record.created'), Type.Literal('record.updated')]),
    actor: Actor,
  },
  { additionalProperties: false },
)
export type RecentRecord = Static<typeof RecentRecord>

export const Home = Type.Object(
  {
    recentRecords: Type.Array(RecentRecord, {
      description: 'Each record once, with its latest change, newest first',
    }),
    activitiesByDay: Type.Array(
      Type.Object(
        { date: Type.String({ examples: ['2026-11-20'] }), count: Type.Integer({ minimum: 0 }) },
        { additionalProperties: false },
      ),
      { description: 'The last seven days including today, in the organization’s time zone' },
    ),
    upcoming: Type.Array(Activity, {
      description: 'Upcoming activities, soonest first; completed tasks are left out',
    }),
    counts: Type.Array(
      Type.Object(
        {
          objectId: Uuid,
          total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
            description: 'null: counting took too long',
          }),
        },
        { additionalProperties: false },
      ),
      { description: 'One per active object' },
    ),
  },
  { additionalProperties: false },
)
export type Home = Static<typeof Home>

export const homeRoutes = {
  getHome: { method: 'GET', path: '/home', scope: 'records:read', response: { 200: Home } },
} satisfies DashboardRoutes
