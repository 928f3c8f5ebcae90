// Records, tasks and other assignments of members, and their transfer to another member.
import { type Static, Type } from 'typebox'
import { listOf, literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleId, exampleTimes, exampleUser, exampleWhole } from './example-values.ts'
import { WholeListQuery } from './paging.ts'
import type { ApiRoutes } from './route.ts'

export const Assignments = StrictObject(
  {
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
  },
  { description: 'Records and open tasks of a member' },
)
export type Assignments = Static<typeof Assignments>

export const NewReassignment = StrictObject({
  from: Type.Unsafe<string>({ ...Uuid, description: 'User id of a member or former member' }),
  to: Nullable(Uuid, { description: 'User id of a member; null clears the values' }),
})
export type NewReassignment = Static<typeof NewReassignment>

export const Reassignment = StrictObject(
  {
    id: Uuid,
    from: Uuid,
    to: Nullable(Uuid),
    state: literals(['running', 'completed', 'cancelled']),
    total: Type.Integer({ description: 'Number of values and tasks at the start' }),
    changed: Type.Integer(),
    failed: Type.Integer({ description: 'Values and tasks that could not be changed' }),
    problem: Nullable(
      Type.String({ description: 'Why the first failed value or task could not be changed' }),
    ),
    createdAt: Timestamp,
    finishedAt: Nullable(Timestamp),
  },
  {
    description:
      'A reassignment of the records and open tasks of a member to another member, in the background',
  },
)
export type Reassignment = Static<typeof Reassignment>

/** At most 10 reassignments, newest first. */
export const ReassignmentList = listOf('reassignments', Reassignment)

/** Schemas by their names in the API document. */
export const reassignmentSchemas = { Assignments, NewReassignment, Reassignment, ReassignmentList }

const exampleReassignment = {
  id: exampleId(27),
  from: exampleUser.id,
  to: exampleId(8),
  state: 'running',
  total: 120,
  changed: 0,
  failed: 0,
  problem: null,
  createdAt: exampleTimes.createdAt,
  finishedAt: null,
}

export const reassignmentRoutes = {
  listAssignments: {
    at: 'GET /members/:memberId/assignments',
    scope: 'members:manage',
    summary: 'Count what a member owns',
    description: 'Counts records that refer to the member, by attribute, and open tasks.',
    response: { 200: Assignments },
    example: {
      response: {
        records: [
          {
            objectId: exampleId(1),
            singularName: 'Company',
            pluralName: 'Companies',
            attribute: 'Owner',
            count: 117,
          },
        ],
        openTasks: 3,
      },
    },
  },
  listReassignments: {
    at: 'GET /reassignments',
    scope: 'members:manage',
    summary: 'List reassignments',
    description: 'Newest first, at most 10.',
    query: WholeListQuery,
    response: { 200: ReassignmentList },
    example: { response: { reassignments: [exampleReassignment], pagination: exampleWhole } },
  },
  startReassignment: {
    at: 'POST /reassignments',
    scope: 'members:manage',
    summary: 'Reassign what a member owns',
    description:
      'Reassigns every value that refers to the member, and every open task, in the background. Each changed record gets a new version and a `record.updated` event.',
    body: NewReassignment,
    response: { 201: Reassignment },
    example: { body: { from: exampleUser.id, to: exampleId(8) }, response: exampleReassignment },
  },
  cancelReassignment: {
    at: 'POST /reassignments/:reassignmentId/cancel',
    scope: 'members:manage',
    summary: 'Cancel a reassignment',
    description: 'Completed changes are kept.',
    response: { 200: Reassignment },
    example: {
      response: { ...exampleReassignment, state: 'cancelled', finishedAt: exampleTimes.updatedAt },
    },
  },
} satisfies ApiRoutes
