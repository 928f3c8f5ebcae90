// Activities: notes, calls, meetings, tasks and emails.
import { queryOptions } from '@tanstack/react-query'
import type {
  Activity,
  ActivityPatch,
  NewActivity,
  Participant,
  RecordRef,
} from '../../../contract/activities.ts'
import type { ActivityHistory, ActivityUndoBody } from '../../../contract/activity-history.ts'
import type { Pagination } from '../../../contract/common.ts'
import { request, requestWithEtag } from '../../shared/api/client.ts'
import { pagesQuery } from '../../shared/api/queries.ts'

export type { Activity, ActivityPatch, NewActivity, Participant, RecordRef }

/** The filters of GET /activities; times are ISO 8601. */
export interface ActivityFilters {
  type?: Activity['type'] | undefined
  /** A user's id. */
  createdBy?: string | undefined
  /** Id of the user to whom tasks are assigned. */
  assignee?: string | undefined
  from?: string | undefined
  /** Exclusive: the first time that is too late. */
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

/** Query keys of all lists of activities begin with this key and end with the filters. */
export const activityListsKey = (org: string) => [org, 'activities', 'list'] as const

/** Newest first, page by page. */
export const activitiesQuery = (org: string, filters: ActivityFilters) =>
  pagesQuery([...activityListsKey(org), filters], 'GET /activities', { org, query: filters })

/** The activity with its ETag, which an update sends as `If-Match`. */
export const readActivity = (org: string, id: string, signal?: AbortSignal) =>
  requestWithEtag('GET /activities/:activityId', { org, params: { activityId: id }, signal })

export const activityQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [org, 'activities', 'one', id],
    queryFn: ({ signal }) => readActivity(org, id, signal),
  })

export const createActivity = (org: string, body: NewActivity) => request('POST /activities', { org, body })

interface ActivityChange {
  id: string
  patch: ActivityPatch
  ifMatch?: string | undefined
  /** Lists the change under *Undo changes*. */
  changeSetId?: string | undefined
}

export const patchActivity = (org: string, { id, patch, ...sent }: ActivityChange) =>
  requestWithEtag('PATCH /activities/:activityId', { org, params: { activityId: id }, body: patch, ...sent })

export type ActivityHistoryEntry = ActivityHistory['entries'][number]

const CHANGES_AT_ONCE = 20

/** Query keys of the histories of activities begin with this key. */
export const activityHistoryKey = (org: string) => [org, 'activities', 'history'] as const

/** Newest first, page by page. */
export const activityHistoryQuery = (org: string, id: string) =>
  pagesQuery([...activityHistoryKey(org), id], 'GET /activities/:activityId/history', {
    org,
    params: { activityId: id },
    query: { limit: CHANGES_AT_ONCE, count: false },
  })

export interface ActivityVersion {
  id: string
  /** The version that the change made. */
  version: number
}

/** Restores the values from before a change. Values that were changed since stay, unless `overwrite` names them. */
export const undoActivity = (
  org: string,
  { id, version }: ActivityVersion,
  { overwrite, dryRun }: Pick<ActivityUndoBody, 'overwrite'> & { dryRun?: boolean } = {},
) =>
  request('POST /activities/:activityId/undo', {
    org,
    params: { activityId: id },
    query: { dryRun },
    body: { version, ...(overwrite && { overwrite }) },
  })

export const deleteActivity = (org: string, id: string) =>
  request('DELETE /activities/:activityId', { org, params: { activityId: id } })

const AT_ONCE = 50

export const activityTrashKey = (org: string) => [org, 'activities', 'trash'] as const

export const trashedActivitiesQuery = (org: string) =>
  pagesQuery(activityTrashKey(org), 'GET /trashed-activities', { org, query: { limit: AT_ONCE } })

export const restoreActivity = (org: string, id: string) =>
  request('POST /trashed-activities/:activityId/restore', { org, params: { activityId: id } })

export const purgeActivity = (org: string, id: string) =>
  request('DELETE /trashed-activities/:activityId', { org, params: { activityId: id } })
