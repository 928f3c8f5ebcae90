// Deleted comments that can be restored.
import { type Static, Type } from 'typebox'
import { Comment, exampleComment } from './comments.ts'
import { Deleted, Pagination, StrictObject } from './common.ts'
import { exampleDeleted, examplePage } from './example-values.ts'
import { pageParams } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import { deletionFields } from './trash.ts'

export const TrashedComment = StrictObject(
  {
    ...Comment.properties,
    ...deletionFields,
  },
  { description: 'A deleted comment, as it was' },
)
export type TrashedComment = Static<typeof TrashedComment>

export const TrashedCommentList = StrictObject({
  comments: Type.Array(TrashedComment),
  pagination: Pagination,
})

const TrashedCommentQuery = StrictObject(pageParams())

/** Their names in the API document. */
export const commentTrashSchemas = { TrashedComment, TrashedCommentList }

export const commentTrashRoutes = {
  listTrashedComments: {
    at: 'GET /trashed-comments',
    scope: 'comments:read',
    summary: 'List deleted comments',
    description:
      'Those that you may restore: your own, for owners and admins all. The last deleted first. After 30 days, or as many as the organization has set, they are deleted for good.',
    query: TrashedCommentQuery,
    response: { 200: TrashedCommentList },
    example: {
      response: {
        comments: [
          {
            ...exampleComment,
            deletedAt: '2026-11-20T10:00:00.000Z',
            deletedBy: exampleComment.createdBy,
            purgeAt: '2026-12-20T10:00:00.000Z',
          },
        ],
        pagination: examplePage,
      },
    },
  },
  restoreComment: {
    at: 'POST /trashed-comments/:commentId/restore',
    scope: 'comments:write',
    readScope: 'comments:read',
    summary: 'Restore a deleted comment',
    description:
      'It returns as it was, with its id: to the record that it was on, or to the one into which that was merged. No one is notified. Its author can, and owners and admins of the organization.',
    response: { 200: Comment },
    errors: ['not_author', 'object_inactive'],
    example: { response: exampleComment },
  },
  purgeComment: {
    at: 'DELETE /trashed-comments/:commentId',
    scope: 'comments:write',
    summary: 'Delete a comment from the trash',
    description: 'For good: it cannot be restored any more. Its author can, and owners and admins.',
    response: { 200: Deleted },
    errors: ['not_author'],
    example: { response: { ...exampleDeleted, id: exampleComment.id } },
  },
} satisfies ApiRoutes
