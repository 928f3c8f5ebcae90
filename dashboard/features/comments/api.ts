// Comments on records.
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Comment } from '../../../contract/comments.ts'
import { request } from '../../shared/api/client.ts'

export type { Comment }

export interface RecordPlace {
  org: string
  object: string
  record: string
}

const paramsOf = ({ object, record }: RecordPlace) => ({ objectId: object, recordId: record })

/** Newest first, page by page. */
export const commentsQuery = (place: RecordPlace) =>
  infiniteQueryOptions({
    queryKey: [place.org, 'comments', place.object, place.record],
    queryFn: ({ pageParam, signal }) =>
      request('GET /objects/:objectId/records/:recordId/comments', {
        org: place.org,
        params: paramsOf(place),
        query: { limit: 20, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ pagination: { total = 0, offset }, comments }) =>
      offset + comments.length < total ? offset + comments.length : undefined,
  })

export const createComment = (place: RecordPlace, text: string) =>
  request('POST /objects/:objectId/records/:recordId/comments', {
    org: place.org,
    params: paramsOf(place),
    body: { text },
  })

export const patchComment = (org: string, id: string, text: string) =>
  request('PATCH /comments/:commentId', { org, params: { commentId: id }, body: { text } })

export const restoreComment = (org: string, id: string) =>
  request('POST /trashed-comments/:commentId/restore', { org, params: { commentId: id } })

export const deleteComment = (org: string, id: string) =>
  request('DELETE /comments/:commentId', { org, params: { commentId: id } })
