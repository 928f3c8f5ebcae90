// Comments on records.
import { commentTrashRoutes } from '../../contract/comment-trash.ts'
import { commentRoutes } from '../../contract/comments.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { createComment, getComment, listComments, patchComment, removeComment } from './service.ts'
import { listTrashedComments, removeTrashedComment, restoreComment } from './trash.ts'

export function addCommentRoutes(app: App): void {
  addRoute(app, commentRoutes.listComments, ({ ctx, caller, params, query }) =>
    listComments(ctx, caller, params, query),
  )

  addRoute(app, { ...commentRoutes.createComment, wakes: 'events' }, ({ ctx, caller, params, body }) =>
    createComment(ctx, caller, params, body),
  )

  addRoute(app, commentRoutes.getComment, ({ ctx, caller, params }) =>
    getComment(ctx, caller, params.commentId),
  )

  addRoute(app, { ...commentRoutes.updateComment, wakes: 'events' }, ({ ctx, caller, params, body }) =>
    patchComment(ctx, caller, params.commentId, body),
  )

  addRoute(app, { ...commentRoutes.deleteComment, wakes: 'events' }, async ({ ctx, caller, params }) => ({
    id: await removeComment(ctx, caller, params.commentId),
    deleted: true as const,
  }))

  addRoute(app, commentTrashRoutes.listTrashedComments, ({ ctx, caller, query }) =>
    listTrashedComments(ctx, caller, query),
  )

  addRoute(app, { ...commentTrashRoutes.restoreComment, wakes: 'events' }, ({ ctx, caller, params }) =>
    restoreComment(ctx, caller, params.commentId),
  )

  addRoute(app, commentTrashRoutes.purgeComment, async ({ ctx, caller, params }) => ({
    id: await removeTrashedComment(ctx, caller, params.commentId),
    deleted: true as const,
  }))
}
