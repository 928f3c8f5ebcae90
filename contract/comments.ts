// Comments of members on records, with mentions.
import { type Static, Type } from 'typebox'
import { Deleted, listOf, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleDeleted, exampleId, examplePage, exampleTimes, exampleUser } from './example-values.ts'
import { COMMENT_TEXT_MAX } from './limits.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import { pageParams } from './paging.ts'
import { exampleRecord } from './records.ts'
import type { ApiRoutes } from './route.ts'

const Text = Type.String({
  minLength: 1,
  pattern: NOT_BLANK,
  maxLength: COMMENT_TEXT_MAX,
  description: 'Plain text. `<@user id>` mentions a member, who is notified',
  examples: [`<@${exampleId(7)}> has signed the offer.`],
})

export const Comment = StrictObject(
  {
    id: Uuid,
    objectId: Uuid,
    recordId: Uuid,
    text: Text,
    mentions: Type.Array(UserRef, { description: 'Users that the text mentions, in the order of the text' }),
    createdBy: UserRef,
    createdAt: Timestamp,
    editedAt: Nullable(Timestamp, { description: 'When the text was last changed; null: never' }),
  },
  { description: 'A comment on a record' },
)
export type Comment = Static<typeof Comment>

export const CommentList = listOf('comments', Comment)
export type CommentList = Static<typeof CommentList>

export const NewComment = StrictObject({ text: Text })
export type NewComment = Static<typeof NewComment>

export const CommentPatch = StrictObject({ text: Type.Optional(Text) })
export type CommentPatch = Static<typeof CommentPatch>

export const CommentQuery = StrictObject(pageParams())
export type CommentQuery = Static<typeof CommentQuery>

/** Schemas by their names in the API document. */
export const commentSchemas = { Comment, CommentList, NewComment, CommentPatch }

export const exampleComment = {
  id: exampleId(14),
  objectId: exampleRecord.objectId,
  recordId: exampleRecord.id,
  text: `<@${exampleUser.id}> has signed the offer.`,
  mentions: [exampleUser],
  createdBy: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
  createdAt: exampleTimes.createdAt,
  editedAt: null,
}

export const commentRoutes = {
  listComments: {
    at: 'GET /objects/:objectId/records/:recordId/comments',
    scope: 'comments:read',
    summary: 'List the comments on a record',
    description: 'Newest first.',
    query: CommentQuery,
    response: { 200: CommentList },
    example: { response: { comments: [exampleComment], pagination: examplePage } },
  },
  createComment: {
    at: 'POST /objects/:objectId/records/:recordId/comments',
    scope: 'comments:write',
    readScope: 'comments:read',
    summary: 'Comment on a record',
    description:
      'The author is the user who created the API key. Members whom the text mentions as `<@user id>` are notified.',
    body: NewComment,
    response: { 201: Comment },
    errors: ['object_inactive'],
    example: { body: { text: exampleComment.text }, response: exampleComment },
  },
  getComment: {
    at: 'GET /comments/:commentId',
    scope: 'comments:read',
    summary: 'Get a comment',
    response: { 200: Comment },
    example: { response: exampleComment },
  },
  updateComment: {
    at: 'PATCH /comments/:commentId',
    scope: 'comments:write',
    readScope: 'comments:read',
    summary: 'Edit a comment',
    description:
      'Only the author can edit a comment. Members who are mentioned for the first time are notified.',
    body: CommentPatch,
    response: { 200: Comment },
    errors: ['not_author', 'object_inactive'],
    example: {
      body: { text: exampleComment.text },
      response: { ...exampleComment, editedAt: '2026-11-20T10:05:00.000Z' },
    },
  },
  deleteComment: {
    at: 'DELETE /comments/:commentId',
    scope: 'comments:write',
    summary: 'Delete a comment',
    description:
      'The comment stays in the trash for 30 days by default, and can be restored during that time. The author, and owners and admins of the organization, can delete a comment.',
    response: { 200: Deleted },
    errors: ['not_author', 'object_inactive'],
    example: { response: { ...exampleDeleted, id: exampleComment.id } },
  },
} satisfies ApiRoutes
