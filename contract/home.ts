// The first page after sign-in: open tasks, recent changes, activities of the last week, and upcoming activities.
import { type Static, Type } from 'typebox'
import { Activity } from './activities.ts'
import { literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { UserRef } from './members.ts'
import { RecordName } from './record-names.ts'
import type { DashboardRoutes } from './route.ts'

const RecentRecord = StrictObject({
  ...RecordName.properties,
  at: Timestamp,
  type: literals(['record.created', 'record.updated']),
  isRestored: Type.Boolean({ description: 'true: record.created because it was restored from the trash' }),
  changed: Type.Array(Type.String(), {
    description: 'Names of the changed attributes in order, without deleted attributes; empty for a creation',
  }),
  actor: Nullable(UserRef, { description: 'null: the service itself, or a deleted user' }),
})
export type RecentRecord = Static<typeof RecentRecord>

export const Home = StrictObject({
  ownTasks: StrictObject(
    { tasks: Type.Array(Activity), total: Type.Integer({ minimum: 0 }) },
    {
      description: 'The first open tasks assigned to the caller, by due date, then tasks without a due date',
    },
  ),
  recentRecords: Type.Array(RecentRecord, {
    description: 'Each record once, with its latest change, newest first',
  }),
  activitiesByDay: Type.Array(
    StrictObject({ date: Type.String({ examples: ['2026-11-20'] }), count: Type.Integer({ minimum: 0 }) }),
    { description: 'The last seven days including today, in the organization’s time zone' },
  ),
  upcoming: Type.Array(Activity, {
    description: 'Upcoming activities other than tasks, soonest first',
  }),
  counts: Type.Array(
    StrictObject({
      objectId: Uuid,
      total: Nullable(Type.Integer({ minimum: 0 }), {
        description: 'null: counting took too long',
      }),
    }),
    { description: 'One entry per active object' },
  ),
})
export type Home = Static<typeof Home>

export const homeRoutes = {
  getHome: { at: 'GET /home', scope: 'records:read', response: { 200: Home } },
} satisfies DashboardRoutes
