// Requests for the records and tasks of a member, and for reassigning them.
import { queryOptions } from '@tanstack/react-query'
import type { NewReassignment } from '../../../../contract/reassignments.ts'
import { request } from '../../../shared/api/client.ts'

export type { Assignments, Reassignment } from '../../../../contract/reassignments.ts'

export const assignmentsQuery = (org: string, memberId: string) =>
  queryOptions({
    queryKey: [org, 'assignments', memberId],
    queryFn: () => request('GET /members/:memberId/assignments', { org, params: { memberId } }),
    staleTime: 0,
  })

const POLL_MS = 1000

/** Polled while a reassignment is running. */
export const reassignmentsQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'reassignments'],
    queryFn: async () => (await request('GET /reassignments', { org })).reassignments,
    refetchInterval: ({ state: { data } }) => data?.some(({ state }) => state === 'running') && POLL_MS,
  })

export const startReassignment = (org: string, body: NewReassignment) =>
  request('POST /reassignments', { org, body })
export const cancelReassignment = (org: string, reassignmentId: string) =>
  request('POST /reassignments/:reassignmentId/cancel', { org, params: { reassignmentId } })
