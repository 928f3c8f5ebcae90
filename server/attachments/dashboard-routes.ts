// Routes that return the files of several activities, or the pictures of several records, by one request.
import { attachmentDashboardRoutes } from '../../contract/attachments.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { listOfActivities, picturesOf } from './service.ts'

export function addAttachmentDashboardRoutes(app: App): void {
  addRoute(app, attachmentDashboardRoutes.listActivityAttachments, async ({ ctx, caller, body }) => ({
    attachments: await listOfActivities(ctx, caller, body.activityIds),
  }))

  addRoute(app, attachmentDashboardRoutes.listRecordPictures, async ({ ctx, caller, body }) => ({
    pictures: await picturesOf(ctx, caller, body.recordIds),
  }))
}
