// What members own or have to do, and giving it to others.
import { type Static, Type } from 'typebox'
import { literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import type { DashboardRoutes } from './route.ts'

export const Assignments = StrictObject({
  records: Type.Array(
    StrictObject({
      objectId: Uuid,
      singularName: Type.String(),
      pluralName: Type.String(),
      attribute: Type.String({ description: 'Name of the attribute that refers to the member' }),
      count: Type.Integer(),
    }),
  ),
  openTasks: Type.Integer(),
})
export type Assignments = Static<typeof Assignments>

export const NewReassignment = StrictObject({
  from: Type.Unsafe<string>({ ...Uuid, description: 'User id of a member or former member' }),
  to: Nullable(Uuid, { description: 'User id of a member; null clears the values' }),
})
export type NewReassignment = Static<typeof NewReassignment>

export const Reassignment = StrictObject({
  id: Uuid,
  from: Uuid,
  to: Nullable(Uuid),
  state: literals(['running', 'completed', 'cancelled']),
  total: Type.Integer({ description: 'Values and tasks that there were when it began' }),
  changed: Type.Integer(),
  failed: Type.Integer({ description: 'Values and tasks that could not be changed' }),
  problem: Nullable(Type.String({ description: 'Why the first one could not be changed' })),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
})
export type Reassignment = Static<typeof Reassignment>

/** Newest first, at most 10. */
export const ReassignmentList = StrictObject({ reassignments: Type.Array(Reassignment) })

export const reassignmentRoutes = {
  listAssignments: {
    at: 'GET /members/:memberId/assignments',
    role: 'admin',
    response: { 200: Assignments },
  },
  listReassignments: {
    at: 'GET /reassignments',
    role: 'admin',
    response: { 200: ReassignmentList },
  },
  startReassignment: {
    at: 'POST /reassignments',
    role: 'admin',
    body: NewReassignment,
    response: { 201: Reassignment },
  },
  cancelReassignment: {
    at: 'POST /reassignments/:reassignmentId/cancel',
    role: 'admin',
    response: { 200: Reassignment },
  },
} satisfies DashboardRoutes
