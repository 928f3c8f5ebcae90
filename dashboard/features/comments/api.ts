// Comments on records.
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Comment } from '../../../contract/comments.ts'
import { request } from '../../shared/api/client.ts'
import { pagesQuery } from '../../shared/api/queries.ts'

export type { Comment }

export interface RecordPlace {
  org: string
  object: string
  record: string
}

const paramsOf = ({ object, record }: RecordPlace) => ({ objectId: object, recordId: record })

/** Query keys about comments begin with this key. */
export const commentsKey = (org: string) => [org, 'comments'] as const

/** Newest first, page by page. */
export const commentsQuery = (place: RecordPlace) =>
  infiniteQueryOptions({
    queryKey: [...commentsKey(place.org), place.object, place.record],
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

export const readComment = (org: string, id: string) =>
  request('GET /comments/:commentId', { org, params: { commentId: id } })

interface CommentChange {
  id: string
  text: string
  /** Lists the change under *Undo changes*. */
  changeSetId?: string | undefined
}

export const patchComment = (org: string, { id, text, changeSetId }: CommentChange) =>
  request('PATCH /comments/:commentId', { org, params: { commentId: id }, body: { text }, changeSetId })

export const restoreComment = (org: string, id: string) =>
  request('POST /trashed-comments/:commentId/restore', { org, params: { commentId: id } })

export const deleteComment = (org: string, id: string) =>
  request('DELETE /comments/:commentId', { org, params: { commentId: id } })

const AT_ONCE = 50

/** The most recently deleted first. */
export const trashedCommentsQuery = (org: string) =>
  pagesQuery([...commentsKey(org), 'trash'], 'GET /trashed-comments', { org, query: { limit: AT_ONCE } })

export const purgeComment = (org: string, id: string) =>
  request('DELETE /trashed-comments/:commentId', { org, params: { commentId: id } })
