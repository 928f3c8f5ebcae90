// Requests for merging records and undoing merges.
import { queryOptions } from '@tanstack/react-query'
import type { MergeBody } from '../../../../contract/merge.ts'
import { request } from '../../../shared/api/client.ts'
import { requestQuery } from '../../../shared/api/queries.ts'
import { recordsKey } from '../../../shared/api/records.ts'

export const mergeRecords = (org: string, object: string, body: MergeBody) =>
  request('POST /objects/:objectId/records/merge', { org, params: { objectId: object }, body })

/** A dry run of a merge. */
export const mergePreviewQuery = (org: string, object: string, body: MergeBody) =>
  queryOptions({
    ...requestQuery(
      [...recordsKey(org, object), 'deletion', 'merge', body],
      'POST /objects/:objectId/records/merge',
      { org, params: { objectId: object }, query: { dryRun: true }, body },
    ),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** The merges into a record that can be undone, the latest first. */
export const mergesQuery = (org: string, object: string, id: string) =>
  requestQuery(
    [...recordsKey(org, object), 'one', id, 'merges'],
    'GET /objects/:objectId/records/:recordId/merges',
    { org, params: { objectId: object, recordId: id } },
  )

export const undoMerge = (org: string, object: string, mergeId: string) =>
  request('POST /objects/:objectId/merges/:mergeId/undo', { org, params: { objectId: object, mergeId } })

/** A dry run of undoing a merge. */
export const undoPreviewQuery = (org: string, object: string, mergeId: string) =>
  queryOptions({
    queryKey: [...recordsKey(org, object), 'deletion', 'undo-merge', mergeId],
    queryFn: () =>
      request('POST /objects/:objectId/merges/:mergeId/undo', {
        org,
        params: { objectId: object, mergeId },
        query: { dryRun: true },
      }),
    staleTime: 0,
    gcTime: 0,
  })
