// Files of records and of activities, and their trash; the pictures of records; files that programs uploaded.
import { attachmentTrashRoutes } from '../../contract/attachment-trash.ts'
import {
  activityAttachmentRoutes,
  pictureRoutes,
  recordAttachmentRoutes,
} from '../../contract/attachments.ts'
import { fileRoutes } from '../../contract/files.ts'
import { addRoute } from '../http/add-route.ts'
import { pageOfWhole } from '../http/paging.ts'
import type { App } from '../http/request.ts'
import {
  attachFile,
  detachFile,
  getPicture,
  listAttachments,
  removePicture,
  renameAttachment,
  setPicture,
} from './service.ts'
import { deleteFile, getFile, listFiles } from './stored-files.ts'
import { listTrashedAttachments, removeTrashedAttachment, restoreAttachment } from './trash.ts'

const ofRecord = {
  list: recordAttachmentRoutes.listRecordAttachments,
  attach: recordAttachmentRoutes.attachFileToRecord,
  rename: recordAttachmentRoutes.renameRecordAttachment,
  detach: recordAttachmentRoutes.detachFileFromRecord,
}

const ofActivity = {
  list: activityAttachmentRoutes.listActivityAttachments,
  attach: activityAttachmentRoutes.attachFileToActivity,
  rename: activityAttachmentRoutes.renameActivityAttachment,
  detach: activityAttachmentRoutes.detachFileFromActivity,
}

function addRoutesOf(app: App, routes: typeof ofRecord | typeof ofActivity): void {
  addRoute(app, routes.list, async ({ ctx, caller, params, query }) => {
    const all = await listAttachments(ctx, caller, params)
    return pageOfWhole('attachments', all, query, ['attachments', caller.org, params])
  })

  addRoute(app, routes.attach, ({ ctx, caller, params, body }) => attachFile(ctx, caller, params, body))

  addRoute(app, routes.rename, ({ ctx, caller, params, body }) =>
    renameAttachment(ctx, caller, { subject: params, attachmentId: params.attachmentId }, body.name),
  )

  addRoute(app, routes.detach, async ({ ctx, caller, params }) => {
    const id = await detachFile(ctx, caller, { subject: params, attachmentId: params.attachmentId })
    return { id, deleted: true as const }
  })
}

function addTrashRoutes(app: App): void {
  addRoute(app, attachmentTrashRoutes.listTrashedAttachments, ({ ctx, caller, query }) =>
    listTrashedAttachments(ctx, caller, query),
  )

  addRoute(app, attachmentTrashRoutes.restoreAttachment, ({ ctx, caller, params }) =>
    restoreAttachment(ctx, caller, params.attachmentId),
  )

  addRoute(app, attachmentTrashRoutes.purgeAttachment, async ({ ctx, caller, params }) => ({
    id: await removeTrashedAttachment(ctx, caller, params.attachmentId),
    deleted: true as const,
  }))
}

export function addAttachmentRoutes(app: App): void {
  addRoutesOf(app, ofRecord)
  addRoutesOf(app, ofActivity)
  addTrashRoutes(app)
}

/** The picture is a resource of the record, with the scopes of records. */
export function addPictureRoutes(app: App): void {
  addRoute(app, pictureRoutes.getRecordPicture, ({ ctx, caller, params }) => getPicture(ctx, caller, params))

  addRoute(app, pictureRoutes.setRecordPicture, ({ ctx, caller, params, body }) =>
    setPicture(ctx, caller, params, body.url),
  )

  addRoute(app, pictureRoutes.deleteRecordPicture, async ({ ctx, caller, params }) => ({
    id: await removePicture(ctx, caller, params),
    deleted: true as const,
  }))
}

export function addStoredFileRoutes(app: App): void {
  addRoute(app, fileRoutes.listFiles, ({ ctx, caller, query }) => listFiles(ctx, caller, query))

  addRoute(app, fileRoutes.getFile, ({ ctx, caller, params }) => getFile(ctx, caller, params.fileId))

  addRoute(app, fileRoutes.deleteFile, async ({ ctx, caller, params }) => ({
    id: await deleteFile(ctx, caller, params.fileId),
    deleted: true as const,
  }))
}
