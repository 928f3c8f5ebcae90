// The routes of the public API, in the order of the specification.

import { addActivityRoutes } from '../activities/routes.ts'
import { addAttachmentRoutes, addPictureRoutes, addStoredFileRoutes } from '../attachments/routes.ts'
import { addAttributeChangeRoutes } from '../attribute-changes/routes.ts'
import { addChangeSetRoutes } from '../change-sets/routes.ts'
import { addCommentRoutes } from '../comments/routes.ts'
import { addDeletionRoutes } from '../deletion/routes.ts'
import { addDuplicateRoutes } from '../duplicates/routes.ts'
import { addFileRoutes } from '../files/routes.ts'
import type { App } from '../http/request.ts'
import { type KeyLeases, refuseDeletedKeys } from '../identity/api-keys/service.ts'
import { addInvitationRoutes } from '../identity/invitations/routes.ts'
import { addMeRoutes } from '../identity/me/routes.ts'
import { addMemberRoutes } from '../identity/members/routes.ts'
import { addOrganizationRoutes } from '../identity/routes.ts'
import { addAttributeRoutes } from '../model/attributes/routes.ts'
import { addObjectRoutes } from '../model/objects/routes.ts'
import { addPrivacyRoutes } from '../privacy/routes.ts'
import { addReassignmentRoutes } from '../reassignments/routes.ts'
import { addJobRoutes } from '../record-jobs/routes.ts'
import { addMergeRoutes } from '../records/merge/routes.ts'
import { addRecordReadingRoutes } from '../records/reading-routes.ts'
import { addRecordByValueRoutes, addRecordRoutes } from '../records/routes.ts'
import { addAttributeTrashRoutes } from '../records/trash/attribute-routes.ts'
import { addObjectTrashRoutes } from '../records/trash/object-routes.ts'
import { addTrashRoutes } from '../records/trash/routes.ts'
import { addUndoRoutes } from '../records/undo/routes.ts'
import { addSeveralReportsRoutes } from '../reports/dashboards/routes.ts'
import { addReportRoutes } from '../reports/routes.ts'
import { addReportWritingRoutes } from '../reports/writing-routes.ts'
import { addRetentionRoutes } from '../retention/routes.ts'
import { addSearchRoutes } from '../search/routes.ts'
import { addViewRoutes } from '../views/routes.ts'
import { addDeliveryRoutes } from '../webhooks/deliveries/routes.ts'
import { addEndpointRoutes } from '../webhooks/endpoints/routes.ts'
import { addEventFeedRoutes } from '../webhooks/feed/routes.ts'
import { addWebhookRoutes } from '../webhooks/routes.ts'
import { addWorkflowBuildingRoutes } from '../workflows/building-routes.ts'
import { addWorkflowRoutes } from '../workflows/routes.ts'

/**
 * Adds the routes below /api/v1, and in the dashboard below the address of an organization.
 * @param leases of this process: API keys that are deleted with a member are invalid before the response is sent
 */
export function addApiRoutes(app: App, leases: KeyLeases): void {
  addObjectRoutes(app)
  addObjectTrashRoutes(app)
  addAttributeRoutes(app)
  addAttributeChangeRoutes(app)
  addAttributeTrashRoutes(app)
  addRecordRoutes(app)
  addRecordByValueRoutes(app)
  addRecordReadingRoutes(app)
  addUndoRoutes(app)
  addMergeRoutes(app)
  addDuplicateRoutes(app)
  addDeletionRoutes(app)
  addTrashRoutes(app)
  addPictureRoutes(app)
  addJobRoutes(app)
  addChangeSetRoutes(app)
  addViewRoutes(app)
  addSearchRoutes(app)
  addActivityRoutes(app)
  addCommentRoutes(app)
  addMeRoutes(app)
  addMemberRoutes(app, (keyIds) => refuseDeletedKeys(leases, keyIds))
  addReassignmentRoutes(app)
  addRetentionRoutes(app)
  addInvitationRoutes(app)
  addOrganizationRoutes(app)
  addReportRoutes(app)
  addReportWritingRoutes(app)
  addSeveralReportsRoutes(app)
  addWorkflowRoutes(app)
  addWorkflowBuildingRoutes(app)
  addFileRoutes(app)
  addStoredFileRoutes(app)
  addAttachmentRoutes(app)
  addWebhookRoutes(app)
  addEndpointRoutes(app)
  addDeliveryRoutes(app)
  addEventFeedRoutes(app)
  addPrivacyRoutes(app)
}
