// Activities: notes, calls, meetings, tasks and emails.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  Activity,
  ActivityPatch,
  NewActivity,
  Participant,
  RecordRef,
} from '../../../contract/activities.ts'
import type { Pagination } from '../../../contract/common.ts'
import { request, requestWithEtag } from '../../shared/api/client.ts'

export type { Activity, ActivityPatch, NewActivity, Participant, RecordRef }

/** What GET /activities filters by; moments are ISO 8601. */
export interface ActivityFilters {
  type?: Activity['type'] | undefined
  /** A user's id. */
  createdBy?: string | undefined
  /** Of tasks: a user's id. */
  assignee?: string | undefined
  from?: string | undefined
  /** The first moment that is too late. */
  to?: string | undefined
  q?: string | undefined
  isOpen?: boolean | undefined
  /** Id or slug. */
  objectId?: string | undefined
  recordId?: string | undefined
}

export interface ActivityPage {
  activities: Activity[]
  pagination: Pagination
}

/** Every list of activities is under this key, its filters at the end. */
export const activityListsKey = (org: string) => [org, 'activities', 'list'] as const

/** Newest first, page by page. */
export const activitiesQuery = (org: string, filters: ActivityFilters) =>
  infiniteQueryOptions({
    queryKey: [...activityListsKey(org), filters],
    queryFn: ({ pageParam, signal }) =>
      request('GET /activities', { org, query: { ...filters, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })

/** With the ETag that a change of it is made on. */
export const activityQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [org, 'activities', 'one', id],
    queryFn: ({ signal }) =>
      requestWithEtag('GET /activities/:activityId', { org, params: { activityId: id }, signal }),
  })

export const createActivity = (org: string, body: NewActivity) => request('POST /activities', { org, body })

interface ActivityChange {
  id: string
  patch: ActivityPatch
  ifMatch?: string | undefined
}

export const patchActivity = (org: string, { id, patch, ifMatch }: ActivityChange) =>
  requestWithEtag('PATCH /activities/:activityId', { org, params: { activityId: id }, body: patch, ifMatch })

export const deleteActivity = (org: string, id: string) =>
  request('DELETE /activities/:activityId', { org, params: { activityId: id } })

const AT_ONCE = 50

export const activityTrashKey = (org: string) => [org, 'activities', 'trash'] as const

export const trashedActivitiesQuery = (org: string) =>
  infiniteQueryOptions({
    queryKey: activityTrashKey(org),
    queryFn: ({ pageParam, signal }) =>
      request('GET /trashed-activities', { org, query: { limit: AT_ONCE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  })

export const restoreActivity = (org: string, id: string) =>
  request('POST /trashed-activities/:activityId/restore', { org, params: { activityId: id } })

export const purgeActivity = (org: string, id: string) =>
  request('DELETE /trashed-activities/:activityId', { org, params: { activityId: id } })
