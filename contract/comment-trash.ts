// Deleted comments that can be restored.
import type { Static } from 'typebox'
import { Comment, exampleComment } from './comments.ts'
import { Deleted, listOf, StrictObject } from './common.ts'
import { exampleDeleted, exampleDeletion, examplePage } from './example-values.ts'
import { pageParams } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import { deletionFields } from './trash.ts'

export const TrashedComment = StrictObject(
  {
    ...Comment.properties,
    ...deletionFields,
  },
  { description: 'A deleted comment, in its state before the deletion' },
)
export type TrashedComment = Static<typeof TrashedComment>

export const TrashedCommentList = listOf('comments', TrashedComment)

const TrashedCommentQuery = StrictObject(pageParams())

/** Schemas by their names in the API document. */
export const commentTrashSchemas = { TrashedComment, TrashedCommentList }

export const commentTrashRoutes = {
  listTrashedComments: {
    at: 'GET /trashed-comments',
    scope: 'comments:read',
    summary: 'List deleted comments',
    description:
      'The comments that you may restore: your own, or all comments for owners and admins. Most recently deleted first. They are deleted permanently after the organization’s `trashDays`, 30 by default.',
    query: TrashedCommentQuery,
    response: { 200: TrashedCommentList },
    example: {
      response: {
        comments: [
          {
            ...exampleComment,
            ...exampleDeletion,
            deletedBy: exampleComment.createdBy,
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
      'Restores the comment unchanged, with its id, to its record, or to the record into which its record was merged. No one is notified. The author, and owners and admins of the organization, can restore a comment.',
    response: { 200: Comment },
    errors: ['not_author', 'object_inactive'],
    example: { response: exampleComment },
  },
  purgeComment: {
    at: 'DELETE /trashed-comments/:commentId',
    scope: 'comments:write',
    summary: 'Delete a comment from the trash',
    description:
      'Deletes the comment permanently. It cannot be restored. The author, owners and admins can do this.',
    response: { 200: Deleted },
    errors: ['not_author'],
    example: { response: { ...exampleDeleted, id: exampleComment.id } },
  },
} satisfies ApiRoutes
