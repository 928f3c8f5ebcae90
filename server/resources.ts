// The routes of the public API, in the order of the specification.

import { addActivityRoutes } from './activities/routes.ts'
import { addPictureRoutes } from './attachments/routes.ts'
import { addAttributeRoutes } from './attributes/routes.ts'
import { addFileRoutes } from './files/routes.ts'
import type { App } from './http/request.ts'
import { addMemberRoutes } from './members/routes.ts'
import { addObjectRoutes } from './objects/routes.ts'
import { addRecordRoutes } from './records/routes.ts'
import { addAttributeTrashRoutes } from './records/trash/attribute-routes.ts'
import { addObjectTrashRoutes } from './records/trash/object-routes.ts'
import { addTrashRoutes } from './records/trash/routes.ts'
import { addReportRoutes } from './reports/routes.ts'
import { addEventFeedRoutes } from './webhooks/feed/routes.ts'
import { addWebhookRoutes } from './webhooks/routes.ts'
import { addWorkflowRoutes } from './workflows/routes.ts'

/** Below /api/v1, and in the dashboard below the address of an organization. */
export function addApiRoutes(app: App): void {
  addObjectRoutes(app)
  addObjectTrashRoutes(app)
  addAttributeRoutes(app)
  addAttributeTrashRoutes(app)
  addRecordRoutes(app)
  addTrashRoutes(app)
  addPictureRoutes(app)
  addActivityRoutes(app)
  addMemberRoutes(app)
  addReportRoutes(app)
  addWorkflowRoutes(app)
  addFileRoutes(app)
  addWebhookRoutes(app)
  addEventFeedRoutes(app)
}
