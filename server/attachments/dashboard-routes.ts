// Files of records and activities, and the pictures of all records of a page.
import {
  activityAttachmentRoutes,
  attachmentDashboardRoutes,
  recordAttachmentRoutes,
} from '../../contract/attachments.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import {
  attachFile,
  detachFile,
  listAttachments,
  listOfActivities,
  picturesOf,
  renameAttachment,
} from './service.ts'

function addAttachmentRoutes(
  app: App,
  routes: typeof recordAttachmentRoutes | typeof activityAttachmentRoutes,
): void {
  addRoute(app, routes.listAttachments, async ({ ctx, caller, params }) => ({
    attachments: await listAttachments(ctx, caller, params),
  }))

  addRoute(app, routes.attachFile, ({ ctx, caller, params, body }) => attachFile(ctx, caller, params, body))

  addRoute(app, routes.renameAttachment, ({ ctx, caller, params, body }) =>
    renameAttachment(ctx, caller, { subject: params, attachmentId: params.attachmentId }, body.name),
  )

  addRoute(app, routes.detachFile, async ({ ctx, caller, params }) => {
    const id = await detachFile(ctx, caller, { subject: params, attachmentId: params.attachmentId })
    return { id, deleted: true as const }
  })
}

export function addAttachmentDashboardRoutes(app: App): void {
  addAttachmentRoutes(app, recordAttachmentRoutes)
  addAttachmentRoutes(app, activityAttachmentRoutes)

  addRoute(app, attachmentDashboardRoutes.listActivityAttachments, async ({ ctx, caller, body }) => ({
    attachments: await listOfActivities(ctx, caller, body.activityIds),
  }))

  addRoute(app, attachmentDashboardRoutes.listRecordPictures, async ({ ctx, caller, body }) => ({
    pictures: await picturesOf(ctx, caller, body.recordIds),
  }))
}
