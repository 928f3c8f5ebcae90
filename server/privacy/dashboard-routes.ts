// All data of a record as a file.
import { archiveRoutes } from '../../contract/privacy.ts'
import { addRoute } from '../http/add-route.ts'
import { sendAttachment } from '../http/attachment.ts'
import type { App } from '../http/request.ts'
import { archiveRecord } from './archive/archive.ts'

export function addPrivacyDashboardRoutes(app: App): void {
  addRoute(app, { ...archiveRoutes.archiveRecord, wakes: 'none' }, async ({ ctx, caller, params }, reply) => {
    const archive = await archiveRecord(ctx, caller, params)
    return sendAttachment(reply, { ...archive, type: 'application/zip' })
  })
}
